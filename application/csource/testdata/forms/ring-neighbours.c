#define N 50
double a[N][N], b[N][N];
void f(void) { for (int i = 0; i < N; i++) { int im = (i + N - 1) % N, ip = (i + 1) % N; for (int j = 0; j < N; j++) { int jm = j ? j - 1 : N - 1, jp = (j == N - 1) ? 0 : j + 1; b[i][j] = a[im][j] + a[ip][j] + a[i][jm] + a[i][jp]; } } for (int i = -60; i < 60; i++) a[0][(i % N + N) % N] = b[0][-(i % 5) + 10]; }
