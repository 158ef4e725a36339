/* Kernels that a table of functions names, and one that is handed over. */
#include <stdlib.h>

typedef void (*kernel)(int, double *, const double *, const double *);
static void copy(int n, double *a, const double *b, const double *c) {
  for (int i = 0; i < n; i++)
    a[i] = b[i];
}
static void triad(int n, double *a, const double *b, const double *c) {
  for (int i = 0; i < n; i++)
    a[i] = b[i] + 3.0 * c[i];
}
static const struct {
  const char *name;
  kernel run;
  int stride;
} table[] = {{"copy", copy, 1}, {"triad", triad, 2}};

static double square(double x) { return x * x; }
static void each(double *a, int n, double (*f)(double)) {
  for (int i = 0; i < n; i += 3)
    a[i] = f(a[i]);
}

static void all(int n, double *a, double *b, double *c) {
  for (unsigned k = 0; k < sizeof table / sizeof table[0]; k++)
    table[k].run(n, a, b, c);
  each(a, n, square);
}

int main(void) {
  int n = 60;
  double *a = calloc(n, 8), *b = calloc(n, 8), *c = calloc(n, 8);
  all(n, a, b, c); /* region */
  return 0;
}
