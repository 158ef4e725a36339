#define N 64
double a[3][N], s[N];
void f(void) { int p = 0, c = 1, n = 2; for (int t = 0; t < 100; t++) { for (int i = 1; i < N - 1; i++) a[n][i] = 2 * a[c][i] - a[p][i] + a[c][i-1]; int x = p; p = c; c = n; n = x; } }
