#define N 128
double x[N], y[N];
void f(void) { int n = N; int s = 1; double *a = x, *b = y; while (n > 1) { int m = n / 2; for (int p = 0; p < m; p++) for (int q = 0; q < s; q++) { double u = a[q + s * p], v = a[q + s * (p + m)]; b[q + s * 2 * p] = u + v; b[q + s * (2 * p + 1)] = u - v; } double *t = a; a = b; b = t; n /= 2; s *= 2; } }
