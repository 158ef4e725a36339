#define N 64
double A[N], B[N], C[N];
void f(void) { double *p = A, *c = B, *n = C; for (int t = 0; t < 100; t++) { for (int i = 1; i < N - 1; i++) n[i] = 2 * c[i] - p[i] + c[i-1]; double *x = p; p = c; c = n; n = x; } c[0] = 1; }
