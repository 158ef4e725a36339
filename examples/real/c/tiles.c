/* Tiles whose last one is a part, their ends in variables. */
#define N 50
#define T 16
double a[N][N], b[N][N];

static void transpose(void) {
  for (int ii = 0; ii < N; ii += T) {
    int iend = ii + T < N ? ii + T : N;
    for (int jj = 0; jj < N; jj += T) {
      int jend = jj + T;
      if (jend > N)
        jend = N;
      for (int i = ii; i < iend; i++)
        for (int j = jj; j < jend; j++)
          b[j][i] = a[i][j];
    }
  }
}

int main(void) {
  transpose(); /* region */
  return 0;
}
