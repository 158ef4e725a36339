/* run: ./sparse 23 */
// A sparse matrix of a grid, in rows of their own lengths: which columns there are is known when it was built.
#include <stdio.h>
#include <stdlib.h>

struct matrix {
  int rows;
  int *begin, *column;
  double *value;
};

static void build(struct matrix *a, int n) {
  int k = 0;
  a->rows = n * n;
  a->begin = malloc((a->rows + 1) * sizeof *a->begin);
  a->column = malloc(5 * a->rows * sizeof *a->column);
  a->value = malloc(5 * a->rows * sizeof *a->value);
  for (int i = 0; i < a->rows; i++) {
    const int near[5] = {i - n, i - 1, i, i + 1, i + n};
    a->begin[i] = k;
    for (int p = 0; p < 5; p++)
      if (near[p] >= 0 && near[p] < a->rows) {
        a->column[k] = near[p];
        a->value[k++] = p == 2 ? 4 : -1;
      }
  }
  a->begin[a->rows] = k;
}

static void multiply(const struct matrix *a, const double *x, double *y) {
  const int *begin = a->begin, *column = a->column;
  const double *value = a->value;
  int rows = a->rows;
#pragma omp parallel for
  for (int i = 0; i < rows; i++) {
    int first = begin[i], past = begin[i + 1];
    double sum = 0;
    for (int k = first; k < past; k++)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

int main(int argc, char **argv) {
  struct matrix a;
  build(&a, atoi(argv[1]));
  double *x = calloc(a.rows, sizeof *x), *y = calloc(a.rows, sizeof *y);
  x[0] = 1;
  for (int t = 0; t < 4; t++) {
    multiply(&a, x, y); /* region */
    double *z = x;
    x = y;
    y = z;
  }
  printf("%g\n", x[a.rows / 2]);
}
