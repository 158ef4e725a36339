/* Sizes in a global array, set by main to constants or from a file. */
#include <stdio.h>
int points[3];
double u[12][12][12];

static void initialize(void) {
  for (int i = 0; i < points[0]; i++)
    for (int j = 0; j < points[1]; j++)
      for (int k = 1; k < points[2] - 1; k++)
        u[i][j][k] = u[i][j][k - 1] + 1;
}

int main(void) {
  FILE *f = fopen("input.data", "r");
  if (f) {
    if (fscanf(f, "%d %d %d", &points[0], &points[1], &points[2]) != 3)
      return 1;
  } else {
    points[0] = 12;
    points[1] = 12;
    points[2] = 12;
  }
  initialize(); /* region */
  return 0;
}
