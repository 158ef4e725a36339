/* Two buffers that change places after each sweep. */
#define N 26
double first[N][N], second[N][N];

static void sweeps(int times, double (*now)[N], double (*next)[N]) {
  for (int t = 0; t < times; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]);
    double (*spare)[N] = now;
    now = next;
    next = spare;
  }
}

int main(void) {
  sweeps(41, first, second); /* region */
  return 0;
}
