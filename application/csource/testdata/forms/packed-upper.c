#define N 100
double a[N*(N+1)/2], s[N];
void f(void) { for (int i = 0; i < N; i++) for (int j = i; j < N; j++) s[i] += a[i*N - i*(i-1)/2 + j - i]; }
