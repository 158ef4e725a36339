/* run: ./bodies 9 12 */
// The same function for structures of different sizes: what its first call had is not what its others have.
#include <stdio.h>
#include <stdlib.h>

struct body {
  int n, skip;
  double *x;
};

static struct body first, second;

static void setup(struct body *b, int n, int skip) {
  b->n = n;
  b->skip = skip;
  b->x = calloc(n, sizeof *b->x);
}

static double norm(struct body *b) {
  double s = 0;
  for (int i = 0; i < b->n; i += b->skip)
    s += b->x[i] * b->x[i];
  return s;
}

int main(int argc, char **argv) {
  double s = 0;
  setup(&first, 20, 1);
  setup(&second, atoi(argv[1]) * atoi(argv[2]), 3);
  s += norm(&first); /* region */
  s += norm(&second); /* region */
  printf("%g\n", s);
}
