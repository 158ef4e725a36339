/* Subscripts that are counted along: in the loop, in a loop within it, and in two variables of the head. */
#define N 40
double flat[N * N], square[N][N], edge[4 * N];

static void pack(void) {
  int k = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      flat[k] = square[j][i];
      k++;
    }
  for (int i = 0, j = 4 * N - 1; i < j; i++, j--)
    edge[i] = edge[j];
}

int main(void) {
  pack(); /* region */
  return 0;
}
