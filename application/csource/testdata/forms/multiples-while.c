#define N 900
int d[N];
void f(void) { for (int i = 2; i < 40; i++) { int j = i; while (j < N) { d[j]++; j += i; } } for (int s = 1; s < 30; s++) for (int j = N - 1; j >= 0; j -= s) d[j] = s; }
