/* run: ./buffers 40 1e-2 */
// Two buffers that are swapped until nothing changes any more.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int settle(double *a, double *b, int n, double tolerance) {
  double *from = a, *to = b, change;
  int rounds = 0;
  do {
    change = 0;
    for (int i = 1; i < n - 1; i++) {
      to[i] = 0.25 * (from[i - 1] + 2 * from[i] + from[i + 1]);
      change += fabs(to[i] - from[i]);
    }
    double *swap = from;
    from = to;
    to = swap;
    rounds++;
  } while (change > tolerance);
  return rounds;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
  a[n / 2] = 1;
  int rounds = settle(a, b, n, atof(argv[2])); /* region */
  printf("%d %g\n", rounds, b[n / 2]);
}
