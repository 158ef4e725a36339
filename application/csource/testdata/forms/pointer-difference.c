#define N 100
double a[N], b[N];
void f(void) { double *e = b + N; for (double *p = b; p < e; p++) a[p - b] = *p; }
