/* A ring whose head is a member that functions move, beside a total. */
#define ROUND 16
struct ring {
  double *slots;
  int head;
  long pushed;
};
static double slots[ROUND], in[90], out[90], weight[ROUND];
static void push(struct ring *r, double v) {
  r->slots[r->head] = v;
  r->head++;
  if (r->head == ROUND)
    r->head = 0;
  r->pushed += 2;
}
static double peek(const struct ring *r, int age) {
  int i = r->head - 1 - age;
  if (i < 0)
    i += ROUND;
  return r->slots[i];
}
static void region(int n) {
  struct ring r = {slots, 0, 3};
  for (int t = 0; t < n; t++) {
    push(&r, in[t]);
    double sum = 0;
    for (int k = 0; k < ROUND; k++)
      sum += weight[k] * peek(&r, k);
    out[t] = sum;
  }
  for (int i = 0; i < r.pushed / 3; i++)
    out[i] += in[r.head + i % 4];
}
int main(void) {
  region(90); /* region */
  return 0;
}
