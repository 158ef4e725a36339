#define N 70
double ap[N*(N+1)/2], x[N], y[N];
void f(void) { double *p = ap; for (int j = 0; j < N; j++) { double t = x[j]; for (int i = 0; i < j; i++) { y[i] += t * *p; p++; } y[j] += t * *p++; } }
