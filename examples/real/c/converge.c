/* Sweeps until a bound of their number, or until they change little. */
#define N 32
double now[N][N], new[N][N];

static void relax(int most, double small) {
  double change = 1;
  int sweep = 0;
  while (change > small && sweep < most) {
    change = 0;
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) {
        new[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
        change += new[i][j] - now[i][j];
      }
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        now[i][j] = new[i][j];
    sweep++;
  }
}

int main(void) {
  for (int i = 0; i < N; i++)
    now[0][i] = i * 100;
  relax(5, 1e-9); /* region */
  return 0;
}
