/* run: ./rows 13 6 */
// Matrices as rows of pointers into one block, made by a function that is told their shape.
#include <stdio.h>
#include <stdlib.h>

static double **matrix(int rows, int columns) {
  char *block = malloc(rows * sizeof(double *) + (size_t)rows * columns * sizeof(double));
  double **m = (double **)block;
  double *first = (double *)(block + rows * sizeof(double *));
  for (int i = 0; i < rows; i++, first += columns)
    m[i] = first;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      m[i][j] = i - j;
  return m;
}

static void multiply(double **c, double **a, double **b, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < m; k++)
        c[i][j] = c[i][j] + a[i][k] * b[j][k];
    }
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), m = atoi(argv[2]);
  double **a = matrix(n, m), **b = matrix(n, m), **c = matrix(n, n);
  multiply(c, a, b, n, m); /* region */
  printf("%g\n", c[1][2]);
}
