/* Members of bits share their bytes, and members of a union too: each has a value of its own, or the last one's. */
struct config { unsigned n : 10, step : 3, rounds : 5, last : 4; };
union number { int i; float f; };
static struct config config, other = {12, 2, 3, 9};
static union number number;
double a[40], b[40];
static void region(void) {
  struct config local = {8, 3, 1, 9};
  for (int t = 0; t < config.rounds; t++)
    for (int i = 0; i < config.n; i += config.step)
      a[i] = t;
  for (int i = 0; i < local.n; i += local.step)
    b[i] += 1;
  local.n = 15;
  for (int i = 0; i < local.n + other.last; i += local.step)
    b[i] += 1;
}
int main(void) {
  config.n = 30;
  config.step = 2;
  config.rounds = 4;
  region(); /* region */
  number.i = 3;
  number.f = 1;
  return 0;
}
