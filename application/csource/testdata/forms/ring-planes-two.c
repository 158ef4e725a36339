#define N 64
double a[2][N], c[N];
void f(void) { int cur = 0; for (int t = 0; t < 90; t++) { int nxt = 1 - cur; for (int i = 1; i < N - 1; i++) a[nxt][i] = a[cur][i-1] + a[cur][i+1]; cur = nxt; } for (int i = -20; i < 20; i++) c[20 + i % 7] = 1; }
