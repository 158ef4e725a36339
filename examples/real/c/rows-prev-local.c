/* The same in a local variable. */
#include <stdlib.h>
static void region(int n) {
  double **a = malloc(n * sizeof(double *));
  a[0] = malloc(n * n * sizeof(double));
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = 1;
  for (int k = 0; k < n * n; k++)
    a[0][k] = 0;
}
int main(void) {
  int n = 12;
  region(n); /* region */
  return 0;
}
