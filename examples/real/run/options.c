/* run: ./options --order column --block 5 17 23 */
// Options choose between loops, and set a block size.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum order { ROW, COLUMN };
static enum order order = ROW;
static int block = 8;

static void copy(float *to, const float *from, int rows, int columns) {
  switch (order) {
  case ROW:
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++)
        to[i * columns + j] = from[i * columns + j];
    break;
  case COLUMN:
    for (int jj = 0; jj < columns; jj += block)
      for (int i = 0; i < rows; i++)
        for (int j = jj; j < columns && j < jj + block; j++)
          to[j * rows + i] = from[i * columns + j];
    break;
  }
}

int main(int argc, char **argv) {
  int k = 1;
  for (; k < argc && argv[k][0] == '-'; k += 2) {
    if (!strcmp(argv[k], "--order"))
      order = strcmp(argv[k + 1], "column") ? ROW : COLUMN;
    if (!strcmp(argv[k], "--block"))
      block = atoi(argv[k + 1]);
  }
  int rows = atoi(argv[k]), columns = atoi(argv[k + 1]);
  float *a = calloc(rows * columns, sizeof *a), *b = calloc(rows * columns, sizeof *b);
  copy(b, a, rows, columns); /* region */
  printf("%g\n", b[1]);
}
