#define N 40
double c[N*(N+1)*(N+2)/6], s[N];
void f(void) { int k = 0; for (int i = 0; i < N; i++) for (int j = 0; j <= i; j++) for (int l = 0; l <= j; l++) c[k++] = s[l]; }
