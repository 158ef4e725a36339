/* The last element is the first one's neighbour: a variable that holds the subscript of the iteration before. */
#define N 120
double ring[N], out[N];

static void smooth(void) {
  int before = N - 1;
  for (int i = 0; i < N; i++) {
    out[i] = (ring[i] + ring[before]) * 0.5;
    before = i;
  }
}

int main(void) {
  smooth(); /* region */
  return 0;
}
