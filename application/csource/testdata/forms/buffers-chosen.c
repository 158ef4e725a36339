#define N 64
double A[N], B[N];
void f(void) { for (int t = 0; t < 99; t++) { double *c = t % 2 ? A : B, *n = t % 2 ? B : A; for (int i = 1; i < N - 1; i++) n[i] = c[i-1] + c[i+1]; if (t & 1) A[0] = 1; } }
