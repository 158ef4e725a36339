#define N 1000
double a[N], b[N];
void f(void) { int j = 0; for (int i = 1; i <= 5; i++) { int n = N; while ((n = n / 2) != 0) { b[n] += a[n * i / 5]; } } int n = N, lev = 0; while (n > 1) { int half = (n + 1) / 2; for (int i = 0; i < n / 2; i++) b[i] = a[2*i] + a[2*i+1]; if (n & 1) b[half - 1] = a[n - 1]; for (int i = 0; i < half; i++) a[i] = b[i]; n = half; lev++; } a[lev] = 3; }
