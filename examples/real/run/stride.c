/* run: STRIDE=3 ./stride 100 */
// A bound from the arguments and a step from the environment.
#include <stdio.h>
#include <stdlib.h>

static long gather(const int *x, int *y, long n, long step) {
  long count = 0;
  for (long i = step; i < n; i += step)
    y[count++] = x[i] + x[i - step];
  return count;
}

int main(int argc, char **argv) {
  const char *text = getenv("STRIDE");
  long n = strtol(argv[1], NULL, 10), step = text ? strtol(text, NULL, 10) : 1;
  int *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
  for (int round = 0; round < 5; round++) {
    long got = gather(x, y, n, step); /* region */
    if (got < 0)
      return 1;
  }
  printf("%d\n", y[0]);
}
