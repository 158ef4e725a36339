/* Parts of one allocation, by pointers into it. */
#include <stdlib.h>

static void add(double *restrict u, const double *restrict v, const double *restrict w, int n) {
  for (int i = 0; i < n; i++)
    u[i] = v[i] + w[i];
}

int main(void) {
  int n = 60;
  double *all = calloc(3 * n, sizeof(double));
  double *u = all, *v = all + n, *w = &all[2 * n];
  add(u, v, w, n); /* region */
  return 0;
}
