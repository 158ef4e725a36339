#define N 80
double A[N*N], s[N];
void f(void) { for (int i = 0; i < N; i++) { int d = i * (i + 1) / 2; double sum = A[d + i]; for (int k = 0; k < i; k++) sum -= A[d + k] * A[k*(k+1)/2 + k]; A[d + i] = sum; for (int r = i + 1; r < N; r++) A[r*(r+1)/2 + i] /= sum; } }
