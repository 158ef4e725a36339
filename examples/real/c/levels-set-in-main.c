/* Levels of a multigrid whose sizes main halves one by one, with spacings beside them. */
#include <stdlib.h>
#define LEVELS 4

typedef struct level {
  int n;
  double h;
  double *u, *f;
} level_t;
static level_t levels[LEVELS];

static void smooth(level_t *l, int sweeps) {
  for (int s = 0; s < sweeps; s++)
    for (int i = 1; i <= l->n; i++)
      l->u[i] = 0.5 * (l->u[i - 1] + l->u[i + 1] + l->f[i]);
}

static void down(level_t *fine, level_t *coarse) {
  for (int i = 1; i <= coarse->n; i++)
    coarse->f[i] = fine->u[2 * i - 1] + fine->u[2 * i];
}

static void cycle(void) {
  for (int l = 0; l < LEVELS - 1; l++) {
    smooth(&levels[l], 2);
    down(&levels[l], &levels[l + 1]);
  }
}

int main(void) {
  int n = 32;
  for (int l = 0; l < LEVELS; l++, n /= 2) {
    levels[l].n = n;
    levels[l].h = 1.0 / (n + 1);
    levels[l].u = calloc(n + 2, sizeof(double));
    levels[l].f = calloc(n + 2, sizeof(double));
  }
  cycle(); /* region */
  return 0;
}
