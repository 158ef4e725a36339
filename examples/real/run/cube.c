/* run: ./cube 5 6 7 */
// Three levels of pointers: planes, rows, elements.
#include <stdio.h>
#include <stdlib.h>

static int planes, rows, columns;

static double ***cube(void) {
  double ***c = malloc(planes * sizeof *c);
  double **r = malloc((size_t)planes * rows * sizeof *r);
  double *e = calloc((size_t)planes * rows * columns, sizeof *e);
  for (int i = 0; i < planes; i++) {
    c[i] = r + i * rows;
    for (int j = 0; j < rows; j++)
      c[i][j] = e + (i * rows + j) * columns;
  }
  return c;
}

static void add(double ***a, double ***b, int n1, int n2, int n3) {
  for (int i = 0; i < n1; i++)
    for (int j = 0; j < n2; j++)
      for (int k = 0; k < n3; k++)
        a[i][j][k] = a[i][j][k] + b[i][j][k];
}

int main(int argc, char **argv) {
  planes = atoi(argv[1]);
  rows = atoi(argv[2]);
  columns = atoi(argv[3]);
  double ***a = cube(), ***b = cube();
  add(a, b, planes, rows, columns); /* region */
  printf("%g\n", a[0][1][2]);
}
