/* Two buffers that a do loop swaps, declared where they are used. */
double a[60], b[60];
static void region(double *in, double *out, int rounds) {
  double *from = in, *to = out;
  int count = 0;
  do {
    for (int i = 1; i < 59; i++)
      to[i] = from[i - 1] + from[i + 1];
    double *t = from;
    from = to;
    to = t;
    count++;
  } while (count < rounds);
  from[0] = 1;
}
int main(void) {
  region(a, b, 7); /* region */
  return 0;
}
