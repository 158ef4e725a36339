#define N 70
double ap[N*(N+1)/2], x[N], y[N];
void f(void) { int kk = 0; for (int j = 0; j < N; j++) { int k = kk; for (int i = 0; i <= j; i++) { y[i] += x[j] * ap[k]; k++; } kk += j + 1; } }
