/* A grid that a function returns, and its index function. */
#include <stdlib.h>

typedef struct {
  int nx, ny;
  double *v;
} grid;

static grid make(int nx, int ny) {
  grid g;
  g.nx = nx;
  g.ny = ny;
  g.v = calloc((size_t)nx * ny, sizeof(double));
  return g;
}

static inline size_t at(const grid *g, int i, int j) { return (size_t)i * g->ny + j; }

static void apply(const grid *in, grid *out) {
  for (int i = 1; i < in->nx - 1; i++)
    for (int j = 1; j < in->ny - 1; j++)
      out->v[at(out, i, j)] = in->v[at(in, i - 1, j)] + in->v[at(in, i + 1, j)] + in->v[at(in, i, j - 1)] + in->v[at(in, i, j + 1)];
}

int main(void) {
  grid a = make(16, 20), b = make(16, 20);
  apply(&a, &b); /* region */
  return 0;
}
