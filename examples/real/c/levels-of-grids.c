/* An array of grids, each half of the one before. */
#include <stdlib.h>
#define LEVELS 4

struct level {
  int n;
  double *u, *f;
};
static struct level grids[LEVELS];

static void setup(int n) {
  for (int l = 0; l < LEVELS; l++) {
    grids[l].n = n >> l;
    grids[l].u = calloc(grids[l].n, sizeof(double));
    grids[l].f = calloc(grids[l].n, sizeof(double));
  }
}

static void cycle(void) {
  for (int l = 0; l < LEVELS - 1; l++)
    for (int i = 0; i < grids[l + 1].n; i++)
      grids[l + 1].f[i] = 0.5 * (grids[l].u[2 * i] + grids[l].f[2 * i + 1]);
}

int main(void) {
  setup(64);
  cycle(); /* region */
  return 0;
}
