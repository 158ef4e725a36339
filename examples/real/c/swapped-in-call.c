/* Buffers that are members of a structure and that a function swaps, which the step of a solver calls; a stencil's offsets stand in a table. */
#include <math.h>
#include <stdlib.h>

typedef struct {
  int nx, ny, steps;
  double *now, *next;
} grid;

static const int dx[4] = {-1, 1, 0, 0}, dy[4] = {0, 0, -1, 1};

static void swap(grid *g) {
  double *t = g->now;
  g->now = g->next;
  g->next = t;
}

static double step(grid *g) {
  double change = 0;
  for (int i = 1; i < g->nx - 1; i++)
    for (int j = 1; j < g->ny - 1; j++) {
      double sum = 0;
      for (int k = 0; k < 4; k++)
        sum += g->now[(i + dx[k]) * g->ny + j + dy[k]];
      g->next[i * g->ny + j] = sum / 4;
      change += sum;
    }
  swap(g);
  g->steps++;
  return change + 1;
}

static void solve(int nx, int ny, int most) {
  grid g = {.nx = nx, .ny = ny, .now = calloc(nx * ny, sizeof(double)), .next = calloc(nx * ny, sizeof(double))};
  int steps = 0;
  while (sqrt(step(&g)) > 1e-6 && steps < most)
    steps++;
}

int main(void) {
  solve(9, 14, 20); /* region */
  return 0;
}
