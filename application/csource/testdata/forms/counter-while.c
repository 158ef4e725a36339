#define N 60
double A[N*N], s[N];
void f(void) { unsigned k = 0; for (unsigned i = 0; i < N; ++i) { unsigned j = 0; while (j <= i) { A[k] += s[j]; ++j; ++k; } } }
