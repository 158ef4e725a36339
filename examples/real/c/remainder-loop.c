/* An unrolled loop and the loop that does what is left, as Pluto and people write it. */
#define N 103
double a[N], b[N];

static void scale(double f) {
  int i;
  for (i = 0; i + 3 < N; i += 4) {
    a[i] = f * b[i];
    a[i + 1] = f * b[i + 1];
    a[i + 2] = f * b[i + 2];
    a[i + 3] = f * b[i + 3];
  }
  for (; i < N; i++)
    a[i] = f * b[i];
}

int main(void) {
  scale(2.0); /* region */
  return 0;
}
