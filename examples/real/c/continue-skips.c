/* Iterations that are skipped, by what is counted. */
#define N 45
double m[N][N];

static void off(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      if (i == j)
        continue;
      if (i + j == N)
        continue;
      m[i][j] = m[j][i] + 1;
    }
}

int main(void) {
  off(); /* region */
  return 0;
}
