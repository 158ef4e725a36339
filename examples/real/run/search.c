/* run: ./search 60 */
// A search that ends where the data say; what is read to decide is read once more at the end.
#include <stdio.h>
#include <stdlib.h>

static int distance(const int *x, int *y) {
  int k = 0;
  while (x[k] < 37) {
    y[k] = x[k];
    k++;
  }
  return k;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  int *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  for (int i = 0; i < n; i++)
    x[i] = i;
  int k = distance(x, y); /* region */
  printf("%d %d\n", k, y[k / 2]);
}
