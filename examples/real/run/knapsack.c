/* run: ./knapsack 3000 40; not on the heap: weight */
// The best that fits into a bag, with weights in an array of the caller, and the way there in rows as long as a parameter says.
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int n;
  long *best;
} bag;

#define BEST(b, i) (b)->best[(b)->n - (i)]

static void pack(int items, int room, const int *weight, long way[items][room + 1], bag *b, bag *spare) {
  for (int i = 0; i < items; i++) {
    for (int c = room; c >= weight[i]; c--)
      if (i % 2)
        BEST(b, c) += BEST(b, c - weight[i]);
      else
        BEST(spare, c) += 1;
    for (int c = 0; c <= room; c++)
      way[i][c] = BEST(b, c);
  }
}

int main(int argc, char **argv) {
  int room = argc > 1 ? atoi(argv[1]) : 100, items = argc > 2 ? atoi(argv[2]) : 5, weight[64];
  long(*way)[room + 1] = malloc(sizeof(long[items][room + 1]));
  bag b = {room, calloc(room + 1, sizeof(long))}, spare = {room, calloc(room + 1, sizeof(long))};
  for (int i = 0; i < 64; i++)
    weight[i] = 100 + i * 37 % 200;
  b.best[room] = 1;
  pack(items, room, weight, way, &b, &spare); /* region */
  printf("%ld %ld\n", b.best[0] % 1000, way[items - 1][room] % 1000);
}
