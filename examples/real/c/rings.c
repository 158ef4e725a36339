/* Rings: an index that goes back to the first, to the last, by less and by more than a round, and one that comes by every place in an order of its own. */
#define ROUND 16
static double ring[ROUND], order[64], in[100], out[100];
static void region(int n) {
  int head = 0, back = 3, place = 5;
  for (int t = 0; t < n; t++) {
    ring[head] = in[t];
    if (++head == ROUND)
      head = 0;
    double sum = order[place];
    for (int k = 0; k < 5; k++) {
      int q = head + k;
      if (q >= ROUND)
        q -= ROUND;
      int p = back - k;
      if (p < 0)
        p += ROUND;
      sum += ring[q] * ring[p];
    }
    back = back == 0 ? ROUND - 1 : back - 1;
    place = (place * 5 + 3) % 64;
    out[t] = sum;
  }
}
int main(void) {
  region(100); /* region */
  return 0;
}
