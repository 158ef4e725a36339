#define N 70
double L[N*N*2], s[N];
void f(void) { int k = 3; for (int i = 1; i < N; i += 3) for (int j = i; j > 0; j--) { s[j] += L[k]; k += 2; } for (int i = N - 1; i >= 0; i -= 2) { for (int j = 0; j < i; j++) k--; L[k] = 1; } }
