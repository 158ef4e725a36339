/* run: ./member 14 11 2 */
// A structure by pointer, whose members are sizes, a stride and arrays.
#include <stdio.h>
#include <stdlib.h>

struct grid {
  int nx, ny, halo;
  size_t pitch;
  double *data;
};

static struct grid grids[2];

static struct grid *new_grid(struct grid *g, int nx, int ny, int halo) {
  g->nx = nx;
  g->ny = ny;
  g->halo = halo;
  g->pitch = (nx + 2 * halo + 7) / 8 * 8;
  g->data = calloc(g->pitch * (ny + 2 * halo), sizeof *g->data);
  return g;
}

static void smooth(const struct grid *from, double *to) {
  const double *in = from->data;
  for (int j = from->halo; j < from->ny + from->halo; j++)
    for (int i = from->halo; i < from->nx + from->halo; i++)
      to[j * from->pitch + i] = 0.5 * (in[j * from->pitch + i - 1] + in[(j + 1) * from->pitch + i]);
}

int main(int argc, char **argv) {
  struct grid *a = new_grid(&grids[0], atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
  struct grid *b = new_grid(&grids[1], a->nx, a->ny, a->halo);
  smooth(a, b->data); /* region */
  printf("%g\n", b->data[a->pitch + 1]);
}
