/* run: ./team 50 4 */
// Functions that deal their loops to the team of their caller.
#include <stdio.h>
#include <stdlib.h>

static double *p, *q;
static int n;

static void scale(double by) {
#pragma omp for schedule(static)
  for (int i = 0; i < n; i++)
    p[i] = by * q[i];
}

static void step(int times) {
#pragma omp parallel
  for (int t = 0; t < times; t++) {
    scale(0.5);
#pragma omp for
    for (int i = 0; i < n; i++)
      q[i] += p[i];
  }
}

int main(int argc, char **argv) {
  n = atoi(argv[1]);
  p = calloc(n, sizeof *p);
  q = calloc(n, sizeof *q);
  step(atoi(argv[2])); /* region */
  printf("%g\n", p[3]);
}
