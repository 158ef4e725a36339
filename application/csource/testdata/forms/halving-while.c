#define N 256
double a[N];
void f(void) { int n = N; while (n >>= 1) { for (int i = 0; i < n; i++) a[i] += a[i + n]; } }
