/* Pointers to the rows of one block. */
#include <stdlib.h>

int main(void) {
  int n = 24, m = 17;
  float **rows = malloc(n * sizeof(float *));
  float *block = malloc(n * m * sizeof(float));
  void clear(float **, int, int);
  for (int i = 0; i < n; i++)
    rows[i] = block + i * m;
  clear(rows, n, m); /* region */
  return 0;
}

void clear(float **rows, int n, int m) {
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      rows[i][j] = rows[i - 1][j];
}
