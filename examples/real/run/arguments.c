/* run: ./arguments 40 9 */
// Sizes from the command line; a triangle, and a band whose width is computed.
#include <stdio.h>
#include <stdlib.h>

static void band(double *a, const double *x, int n, int width) {
  for (int i = 0; i < n; i++)
    for (int j = i > width ? i - width : 0; j <= i; j++)
      a[i * n + j] += x[i] * x[j];
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s N WIDTH\n", argv[0]);
    return 1;
  }
  int n = atoi(argv[1]), width = atoi(argv[2]);
  double *a = calloc((size_t)n * n, sizeof *a), *x = malloc(n * sizeof *x);
  for (int i = 0; i < n; i++)
    x[i] = i;
  band(a, x, n, width); /* region */
  band(a, x, n, n / 2); /* region */
  printf("%g\n", a[n]);
}
