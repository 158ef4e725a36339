/* Functions that stand elsewhere, between loops. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
double f[80], g[80];
int compare(const void *p, const void *q) { return *(const double *)p < *(const double *)q ? -1 : 1; }

static void report(const char *what, int n) {
  char line[80];
  strncpy(line, what, sizeof line - 1);
  for (int i = 0; i < n; i++)
    f[i] = g[i] * 3;
  fprintf(stderr, "%d\n", n);
  for (int i = 0; i < n; i++)
    g[i] = f[i];
}

int main(void) {
  qsort(f, 80, sizeof(double), compare);
  report("first", 80); /* region */
  return 0;
}
