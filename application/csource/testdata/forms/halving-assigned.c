#define N 256
double a[N], b[N];
void f(void) { int n = N, m = N, l = 0; while ((n /= 2) > 2) { for (int i = 0; i < n; i++) a[i] += a[i + n]; l++; } while (m >>= 1) b[m] = 1; b[l] = 1; for (int k = N; (k >>= 1);) a[k] = 0; int q = 1; while ((q <<= 1) < N) a[q] = 7; }
