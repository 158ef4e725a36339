#define N 70
double L[N*N*N], s[N];
void f(void) { double *p = L; for (int i = 0; i < N; i++) { for (int j = 0; j < i; j++) p[j] = s[i]; p += i + 1; } p = L + N*N; for (int i = N; i > 0; i--) { *p = 2; p -= i; } }
