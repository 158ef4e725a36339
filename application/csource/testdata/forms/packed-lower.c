#define N 100
double L[N*(N+1)/2], x[N], b[N];
void f(void) { for (int i = 0; i < N; i++) { x[i] = b[i]; for (int j = 0; j < i; j++) x[i] -= L[i*(i+1)/2+j] * x[j]; x[i] /= L[i*(i+1)/2+i]; } }
