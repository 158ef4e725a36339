#define N 20
double a[N][N], b[N];
void f(void) { int i = 0, j; outer: j = 0; inner: a[i][j] = b[j]; if (++j < N) goto inner; if (++i < N) goto outer; }
