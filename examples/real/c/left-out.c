/* A loop over a list of unknown length among others that are read. */
#define N 100
double p[N], q[N];
int next[N];

static void advance(void) {
  for (int i = 0; i < N; i++)
    p[i] = i;
  for (int i = next[0]; i > 0; i = next[i])
    q[i] = 0;
  for (int i = 0; i < N; i++)
    q[i] = p[i];
}

int main(void) {
  advance(); /* region */
  return 0;
}
