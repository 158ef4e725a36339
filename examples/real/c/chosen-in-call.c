/* Two halves of an array, of which a function chooses by an integer in a structure; a smaller stencil's offsets stand in one table for both directions. */
typedef struct {
  int now, n, steps;
} state;

static const int way[3] = {-1, 0, 1};
static double u[2][30][30], w[3][3];

static void step(state *s) {
  for (int i = 1; i < s->n - 1; i++)
    for (int j = 1; j < s->n - 1; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          sum += w[k][l] * u[s->now][i + way[k]][j + way[l]];
      u[1 - s->now][i][j] = sum;
    }
  s->now = 1 - s->now;
  s->steps++;
}

static void run(int steps) {
  state s = {.n = 30};
  for (int t = 0; t < steps; t++)
    step(&s);
}

int main(void) {
  run(50); /* region */
  return 0;
}
