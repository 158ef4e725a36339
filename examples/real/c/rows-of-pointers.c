/* A matrix as an array of pointers to rows, each allocated by itself. */
#include <stdlib.h>

static double **matrix(int n, int m) {
  double **a = malloc(n * sizeof(double *));
  for (int i = 0; i < n; i++)
    a[i] = malloc(m * sizeof(double));
  return a;
}

static void multiply(int n, double **a, double **b, double **c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++)
        c[i][j] = c[i][j] + a[i][k] * b[k][j];
    }
}

int main(void) {
  int n = 20;
  double **a = matrix(n, n), **b = matrix(n, n), **c = matrix(n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = b[i][j] = i - j;
  multiply(n, a, b, c); /* region */
  return 0;
}
