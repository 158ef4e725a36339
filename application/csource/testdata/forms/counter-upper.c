#define N 100
double L[N*(N+1)/2], s[N];
void f(void) { int k = 0; for (int i = 0; i < N; i++) for (int j = i; j < N; j++) { L[k] = s[j]; k++; } }
