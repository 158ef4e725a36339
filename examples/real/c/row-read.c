/* Rows that a loop takes into a pointer. */
#include <stdlib.h>
static void region(double **a, int n) {
  for (int i = 0; i < n; i++) {
    double *r = a[i];
    for (int j = 0; j < n; j++)
      r[j] = 1;
  }
}
int main(void) {
  int n = 9;
  double **a = malloc(n * sizeof(double *));
  for (int i = 0; i < n; i++)
    a[i] = malloc(n * sizeof(double));
  region(a, n); /* region */
  return 0;
}
