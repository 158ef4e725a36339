/* A loop without end that a condition on its counter leaves. */
#define N 64
double t[N];

static void fill(void) {
  int i = 0;
  for (;;) {
    if (i >= N)
      break;
    t[i] = i;
    i += 1;
  }
  i = 0;
  while (1) {
    t[i] *= 2;
    if (++i == N)
      break;
  }
}

int main(void) {
  fill(); /* region */
  return 0;
}
