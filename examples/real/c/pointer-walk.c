/* Pointers that are stepped instead of subscripts. */
#define N 150
double from[N], to[2 * N];

static void spread(const double *p, double *q, int n) {
  for (int i = 0; i < n; i++) {
    *q++ = *p;
    *q++ = -*p++;
  }
}

int main(void) {
  spread(from, to, N); /* region */
  return 0;
}
