/* A step that is a variable. */
#define N 97
double z[N];

static void stride(int step) {
  for (int i = 0; i < N; i += step)
    z[i] = 1;
  for (int i = N - 1; i >= 0; i -= 2 * step)
    z[i] += 1;
}

int main(void) {
  int step = 3;
  stride(step); /* region */
  return 0;
}
