/* A sum behind a pointer to a local variable. */
double a[100];
static void region(void) {
  int n = 20, *p = &n;
  ++*p;
  for (int i = 0; i < n; i++)
    a[i] += 1;
  *p += 3;
  for (int i = 0; i < n; i++)
    a[i] += 1;
  (*p)--;
  p[0] = p[0] - 1;
  for (int i = 0; i < n; i++)
    a[i] += 1;
}
int main(void) {
  region(); /* region */
  return 0;
}
