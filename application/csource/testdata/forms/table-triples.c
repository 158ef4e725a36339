#define N 20
double a[N][N][N], b[N][N][N];
static const int d[7][3] = { {0,0,0}, {1,0,0}, {-1,0,0}, {0,1,0}, {0,-1,0}, {0,0,1}, {0,0,-1} };
void f(void) { for (int z = 1; z < N - 1; z++) for (int y = 1; y < N - 1; y++) for (int x = 1; x < N - 1; x++) for (int q = 0; q < 7; q++) b[z][y][x] += a[z + d[q][2]][y + d[q][1]][x + d[q][0]]; }
