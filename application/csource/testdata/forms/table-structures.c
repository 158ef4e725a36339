#define N 30
double a[N][N], b[N][N];
static const struct { int dx, dy; } nb[] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { .dy = -1 } };
void f(void) { for (int y = 1; y < N - 1; y++) for (int x = 1; x < N - 1; x++) for (int q = 0; q < 4; q++) b[y][x] += a[y + nb[q].dy][x + nb[q].dx]; }
