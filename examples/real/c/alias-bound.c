/* A bound that is changed through a pointer. */
double a[100];
static void region(void) {
  int n = 40;
  int *p = &n;
  for (int i = 0; i < n; i++) {
    a[i] += 1;
    (*p)--;
  }
  a[n] += 1;
}
int main(void) {
  region(); /* region */
  return 0;
}
