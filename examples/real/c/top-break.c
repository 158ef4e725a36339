/* A loop that a condition on its counter ends before its bound. */
#define N 100
double r[N];

static void half(int limit) {
  for (int i = 0; i < N; i++) {
    if (i > limit)
      break;
    r[i] = i;
  }
}

int main(void) {
  half(41); /* region */
  return 0;
}
