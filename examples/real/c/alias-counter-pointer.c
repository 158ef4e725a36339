/* A counter that is stepped once more through a pointer. */
double a[200];
static void region(void) {
  int i, *p = &i;
  for (i = 0; i < 100; i++) {
    a[i] += 1;
    *p += 1;
  }
}
int main(void) {
  region(); /* region */
  return 0;
}
