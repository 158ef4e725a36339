/* A loop that looks at its end behind each iteration, and one that counts down in its condition. */
#define N 90
double x[N], y[N];

static void shift(int n) {
  int i = n - 1;
  do {
    x[i] = y[i] + 1.0;
    i -= 2;
  } while (i > 0);
  while (n--)
    y[n] = x[n];
}

int main(void) {
  shift(N); /* region */
  return 0;
}
