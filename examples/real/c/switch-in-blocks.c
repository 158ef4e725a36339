/* Faces of a block that is packed, by a switch whose cases are blocks; its sizes lie in an array of a structure that a function returns. */
#include <stdlib.h>

enum face { WEST, EAST, SOUTH, NORTH, FACES };
typedef struct {
  struct { int n[2]; } size;
  double *send[FACES];
} block;

static double u[11 * 16];

static block make(int nx, int ny) {
  block b = {.size = {.n = {nx, ny}}};
  for (int f = 0; f < FACES; f++)
    b.send[f] = calloc(nx + ny, sizeof(double));
  return b;
}

static void pack(block *b, enum face f) {
  const int nx = b->size.n[0], ny = b->size.n[1], ld = nx + 2;
  switch (f) {
  case WEST:
  case EAST: {
    int i = f == WEST ? 1 : nx;
    for (int j = 1; j <= ny; j++)
      b->send[f][j - 1] = u[j * ld + i];
    break;
  }
  default: {
    int j = f == SOUTH ? 1 : ny;
    for (int i = 1; i <= nx; i++)
      b->send[f][i - 1] = u[j * ld + i];
  }
  }
}

static void exchange(block *b) {
  for (int f = WEST; f < FACES; f++)
    pack(b, (enum face)f);
}

static block box;

int main(void) {
  box = make(14, 9);
  exchange(&box); /* region */
  return 0;
}
