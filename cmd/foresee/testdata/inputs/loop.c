#ifndef N
#define N 64
#endif
double a[N][N], b[N][N];

void sweep(void) {
#pragma omp parallel for
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

int main(void) {
  sweep();
  return 0;
}
