/* run: ./mesh 17 */
// Elements that know their corners, corners in an order of their own, and those of the border left out.
#include <stdio.h>
#include <stdlib.h>

static void gather(int elements, const int (*corner)[4], const short *place, const unsigned char *border, const double *u, double *sum) {
  for (int e = 0; e < elements; e++) {
    const int *c = corner[e];
    for (int a = 0; a < 4; a++) {
      int p = place[c[a]];
      if (!border[p])
        sum[p] += u[e];
    }
  }
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), corners = (n + 1) * (n + 1);
  int(*corner)[4] = malloc(n * n * sizeof *corner);
  short *place = malloc(corners * sizeof *place);
  unsigned char *border = calloc(corners, 1);
  double *u = calloc(n * n, sizeof *u), *sum = calloc(corners, sizeof *sum);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      int *c = corner[j * n + i], first = j * (n + 1) + i;
      c[0] = first, c[1] = first + 1, c[2] = first + n + 1, c[3] = first + n + 2;
      u[j * n + i] = i + j;
    }
  for (int p = 0; p < corners; p++)
    place[p] = p * 7L % corners;
  for (int j = 0; j <= n; j++)
    for (int i = 0; i <= n; i++)
      border[place[j * (n + 1) + i]] = i == 0 || j == 0 || i == n || j == n;
  gather(n * n, corner, place, border, u, sum); /* region */
  gather(n * n, corner, place, border, u, sum); /* region */
  printf("%g\n", sum[place[corners / 2]]);
}
