#define N 60
double A[N*N*N], s[N];
void f(void) { long k = 0; for (int i = 0; i < N; i++) for (int j = i; j < N; j++) for (int l = j; l < N; l++) A[k++] = s[l]; for (long m = 0; m < k; m += 97) A[m] = 0; }
