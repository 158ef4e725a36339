#define N 80
double a[N][N], b[N][N];
void f(void) { static const int d[4][2] = { {0,1}, {1,0}, {0,-1}, {-1,0} }; for (int y = 1; y < N - 1; y++) for (int x = 1; x < N - 1; x++) for (int q = 0; q < 4; q++) b[y][x] += a[y + d[q][0]][x + d[q][1]]; }
