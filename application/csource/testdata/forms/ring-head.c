#define N 64
double a[N], s[N];
void f(void) { int head = 0; for (int t = 0; t < 200; t++) { s[t % 16] += a[head]; head = (head + 1) % N; } }
