#define N 61
double a[N], s[N];
void f(void) { int head = 5; for (int t = 0; t < 300; t++) { a[head] = s[0]; if (++head >= N) head = 0; } }
