/* Red and black points, told apart by exclusive or. */
#define N 34
double u[N * N], f[N * N];

static inline int at(int i, int j) { return i * N + j; }

static void smooth(int sweeps) {
  for (int s = 0; s < sweeps; s++)
    for (int c = 0; c <= 1; ++c)
      for (int i = 1; i < N - 1; i++)
        for (int j = 1 + ((i & 1) ^ c); j < N - 1; j += 2)
          u[at(i, j)] = 0.25 * (u[at(i - 1, j)] + u[at(i + 1, j)] + u[at(i, j - 1)] + u[at(i, j + 1)] - f[at(i, j)]);
}

int main(void) {
  smooth(4); /* region */
  return 0;
}
