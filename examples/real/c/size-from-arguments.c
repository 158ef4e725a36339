/* A size that the arguments may change. */
#include <stdio.h>
#include <stdlib.h>

static void prefix(double *a, int n) {
  for (int i = 1; i < n; i++)
    a[i] += a[i - 1];
}

int main(int argc, char **argv) {
  int n = 500;
  if (argc > 1)
    n = atoi(argv[1]);
  double *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = 1;
  prefix(a, n); /* region */
  printf("%g\n", a[n - 1]);
  free(a);
  return 0;
}
