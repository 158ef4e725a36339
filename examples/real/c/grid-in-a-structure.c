/* Sizes and arrays in a structure that functions get a pointer to. */
#include <stdlib.h>

typedef struct {
  int nx, ny;
  double *now, *next;
} grid;

static void setup(grid *g, int nx, int ny) {
  g->nx = nx;
  g->ny = ny;
  g->now = calloc(nx * ny, sizeof(double));
  g->next = calloc(nx * ny, sizeof(double));
}

static void step(grid *g) {
  for (int i = 1; i < g->nx - 1; i++)
    for (int j = 1; j < g->ny - 1; j++)
      g->next[i * g->ny + j] = 0.25 * (g->now[(i - 1) * g->ny + j] + g->now[(i + 1) * g->ny + j] + g->now[i * g->ny + j - 1] + g->now[i * g->ny + j + 1]);
}

int main(void) {
  grid g;
  setup(&g, 30, 22);
  step(&g); /* region */
  return 0;
}
