/* Loops over a triangle, one counted down. */
#define N 30
double l[N][N], x[N];

static void solve(void) {
  for (int i = N - 1; i >= 0; --i) {
    double s = x[i];
    for (int j = i + 1; j < N; ++j)
      s -= l[i][j] * x[j];
    x[i] = s / l[i][i];
  }
}

int main(void) {
  for (int i = 0; i < N; i++)
    l[i][i] = 1;
  solve(); /* region */
  return 0;
}
