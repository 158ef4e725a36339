/* Rows that a function gets one by one. */
#include <stdlib.h>
static void one(double *r, int n) {
  for (int j = 0; j < n; j++)
    r[j] = 1;
}
static void region(double **a, int n) {
  for (int i = 0; i < n; i++)
    one(a[i], n);
}
int main(void) {
  int n = 9;
  double **a = malloc(n * sizeof(double *));
  for (int i = 0; i < n; i++)
    a[i] = malloc(n * sizeof(double));
  region(a, n); /* region */
  return 0;
}
