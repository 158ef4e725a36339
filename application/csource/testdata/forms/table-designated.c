#define N 20
double a[N][N], b[N][N];
static const int d[2][4] = { [1] = { 1, -1, 0, 0 }, [0] = { [2] = 1, -1 } };
void f(void) { for (int y = 1; y < N - 1; y++) for (int x = 1; x < N - 1; x++) for (int q = 0; q < 4; q++) b[y][x] += a[y + d[0][q]][x + d[1][q]]; }
