#define N 60
double A[2*N*N], s[N];
void f(void) { int row = 0, len = N; for (int i = 0; i < N; i++) { for (int j = 0; j < len; j++) A[row + j] = s[j]; row += len; len--; } }
