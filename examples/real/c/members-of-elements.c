/* An array of structures, one member of each. */
#define N 70
struct particle {
  double x, y, mass;
  int kind;
} all[N];

static double energy(struct particle *p, int n) {
  double e = 0;
  for (struct particle *q = p; q < p + n; q++)
    e += q->mass * (q->x * q->x + q->y * q->y);
  return e;
}

int main(void) {
  volatile double e = energy(all, N); /* region */
  return e > 1;
}
