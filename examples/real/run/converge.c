/* run: ./converge 30 1e-3 */
// Iterations until a tolerance is met: only the run knows how many.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int relax(double *x, double *y, int n, double tolerance) {
  int rounds = 0;
  double change = 1;
  while (change > tolerance) {
    change = 0;
    for (int i = 1; i < n - 1; i++) {
      y[i] = 0.5 * (x[i - 1] + x[i + 1]);
      change += fabs(y[i] - x[i]);
    }
    for (int i = 1; i < n - 1; i++)
      x[i] = y[i];
    rounds++;
  }
  return rounds;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
  x[0] = 1;
  int rounds = relax(x, y, n, atof(argv[2])); /* region */
  printf("%d %g\n", rounds, x[n / 2]);
}
