/* A search that may end early, and what it skips. */
#define N 300
double data[N];

static int find(double x) {
  for (int i = 0; i < N; i++)
    if (data[i] == x)
      return i;
  return -1;
}

int main(void) {
  volatile int at = find(1.0); /* region */
  return at > 0;
}
