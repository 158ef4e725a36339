/* A size behind a pointer, which each sweep makes less. */
double a[100];
static void work(int *n) {
  for (int t = 0; t < 5; t++) {
    for (int i = 0; i < *n; i++)
      a[i] += 1;
    *n -= 2;
  }
}
static void region(void) {
  int n = 20;
  work(&n);
  for (int i = 0; i < n; i++)
    a[i] += 1;
}
int main(void) {
  region(); /* region */
  return 0;
}
