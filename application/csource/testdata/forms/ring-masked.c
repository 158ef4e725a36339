#define N 64
double a[N], c[N];
void f(void) { int cur = 0; for (int t = 0; t < 90; t++) { for (int i = 0; i < N; i++) c[i] += a[(i * 5 + t) % N]; cur ^= 1; c[cur] = 0; } }
