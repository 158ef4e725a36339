/* run: ./levels 64 4 */
// A V-cycle: the same functions at sizes that are halved.
#include <stdio.h>
#include <stdlib.h>

static void restrict_to(double *coarse, const double *fine, int n) {
  for (int i = 0; i < n / 2; i++)
    coarse[i] = fine[2 * i] + fine[2 * i + 1];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), levels = atoi(argv[2]);
  double **u = malloc(levels * sizeof *u);
  for (int l = 0; l < levels; l++)
    u[l] = calloc(n >> l, sizeof **u);
  for (int cycle = 0; cycle < 3; cycle++)
    for (int l = 0; l + 1 < levels; l++) {
      double *coarse = u[l + 1], *fine = u[l];
      restrict_to(coarse, fine, n >> l); /* region */
    }
  printf("%g\n", u[levels - 1][0]);
}
