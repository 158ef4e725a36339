#define N 100
double a[2][N];
void f(void) { int src = 0, dst = 1; for (int t = 0; t < 77; t++) { for (int i = 1; i < N - 1; i++) a[dst][i] = a[src][i - 1] + a[src][i + 1]; src = dst; dst = 1 - src; } a[src][0] = 1; }
