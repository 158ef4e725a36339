/* A matrix of rows in one block that a function makes. */
#include <math.h>
#include <stdlib.h>

static double **matrix(int n, int m) {
  double **a = malloc(n * sizeof(double *));
  a[0] = malloc(n * m * sizeof(double));
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + m;
  return a;
}

static void factor(double **a, int n) {
  for (int j = 0; j < n; j++) {
    double d = a[j][j];
    for (int k = 0; k < j; k++)
      d -= a[j][k] * a[j][k];
    a[j][j] = d = sqrt(d);
    for (int i = j + 1; i < n; i++) {
      double s = a[i][j];
      for (int k = 0; k < j; k++)
        s -= a[i][k] * a[j][k];
      a[i][j] = s / d;
    }
  }
}

int main(void) {
  int n = 20;
  double **a = matrix(n, n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = i == j ? n : 1;
  factor(a, n); /* region */
  return 0;
}
