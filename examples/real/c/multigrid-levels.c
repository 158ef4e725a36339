/* Sizes that halve from level to level. */
#define LEVELS 5
double fine[64 * 2];

static void restricts(void) {
  int n = 64, from = 0;
  for (int level = 1; level < LEVELS; level++) {
    int to = from + n;
    (void)to;
    for (int i = 0; i < 64 >> level; i++)
      fine[i] = fine[2 * i] + fine[2 * i + 1];
  }
}

int main(void) {
  restricts(); /* region */
  return 0;
}
