/* Elements behind functions that check their arguments and return an address or a value. */
#include <assert.h>
#include <stdlib.h>
struct matrix {
  int rows, columns;
  double *v;
};
static double *at(const struct matrix *a, int i, int j) {
  assert(i >= 0 && i < a->rows);
  if (j < 0 || j >= a->columns)
    abort();
  return &a->v[i * a->columns + j];
}
static double *row(const struct matrix *a, int i) { return a->v + i * a->columns; }
static double get(const struct matrix *a, int i, int j) {
  assert(i < a->rows && j < a->columns);
  return a->v[i * a->columns + j];
}
static void region(struct matrix *a, struct matrix *b) {
  int m = a->rows, n = a->columns;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      *at(b, i, j) = get(a, i, n - 1 - j);
      row(a, i)[j] = 2;
    }
  for (int i = 1; i < m; i++)
    for (int j = 0; j < n; j++)
      at(b, i, j)[0] += *at(b, i - 1, j);
}
int main(void) {
  struct matrix a = {9, 14, 0}, b = {9, 14, 0};
  a.v = calloc(9 * 14, sizeof(double));
  b.v = calloc(9 * 14, sizeof(double));
  region(&a, &b); /* region */
  return 0;
}
