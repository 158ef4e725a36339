/* run: ./histogram 5000 64 */
// How often there is each key, where they begin when sorted, and the places of all in that order.
#include <stdio.h>
#include <stdlib.h>

static void sort(int n, int keys, const unsigned *key, int *begin, const long *order, double *sorted, const double *value) {
  for (int i = 0; i < n; i++)
    begin[key[i] + 1]++;
  for (int k = 0; k < keys; k++)
    begin[k + 1] += begin[k];
  for (int i = 0; i < n; i++)
    sorted[order[i]] = value[i];
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]), keys = atoi(argv[2]);
  unsigned *key = malloc(n * sizeof *key), state = 1;
  int *begin = calloc(keys + 1, sizeof *begin);
  long *order = malloc(n * sizeof *order), at = 0;
  double *value = calloc(n, sizeof *value), *sorted = calloc(n, sizeof *sorted);
  for (int i = 0; i < n; i++)
    key[i] = (state = state * 1664525u + 1013904223u) >> 16;
  for (int i = 0; i < n; i++)
    key[i] %= keys;
  for (int k = 0; k < keys; k++)
    for (int i = 0; i < n; i++)
      if (key[i] == (unsigned)k)
        order[i] = at++;
  sort(n, keys, key, begin, order, sorted, value); /* region */
  printf("%d %g\n", begin[keys], sorted[0]);
}
