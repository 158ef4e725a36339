/* A counted while loop, its counter stepped in the body. */
#define N 200
double x[N], y[N];

static void axpy(int n, double f) {
  int i = 0;
  while (i < n) {
    y[i] += f * x[i];
    i++;
  }
}

int main(void) {
  axpy(N, 0.5); /* region */
  return 0;
}
