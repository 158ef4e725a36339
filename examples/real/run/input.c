/* run: ./input input.txt */
// Sizes from a file, kept in global variables.
#include <stdio.h>
#include <stdlib.h>

static int rows, columns, steps;
static double *u, *v;

static void read_input(const char *name) {
  FILE *f = fopen(name, "r");
  if (!f || fscanf(f, "%d %d %d", &rows, &columns, &steps) != 3)
    exit(1);
  fclose(f);
}

static void advance(void) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < rows - 1; i++)
      for (int j = 1; j < columns - 1; j++)
        v[i * columns + j] = u[(i - 1) * columns + j] + u[(i + 1) * columns + j];
    for (int i = 0; i < rows * columns; i++)
      u[i] = v[i];
  }
}

int main(int argc, char **argv) {
  read_input(argv[1]);
  u = calloc(rows * columns, sizeof *u);
  v = calloc(rows * columns, sizeof *v);
  advance(); /* region */
  printf("%g\n", u[columns]);
}
