/* Rows that are counted from the first, by sum and by address. */
#include <stdlib.h>
static void region(int m, int n) {
  double **a = malloc(m * sizeof(double *)), **b = malloc(m * sizeof(double *));
  a[0] = malloc((size_t)m * n * sizeof(double));
  for (int i = 1; i < m; i++)
    a[i] = a[0] + i * n;
  b[0] = malloc((size_t)m * n * sizeof(double));
  for (int i = 1; i < m; i++)
    b[i] = &b[0][i * n];
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = 1;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      b[i][j] = a[i][j];
}
int main(void) {
  int n = 12;
  region(n + 3, n); /* region */
  return 0;
}
