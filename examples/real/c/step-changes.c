/* A step that grows from iteration to iteration. */
double a[200];
static void region(void) {
  int s = 1;
  for (int i = 0; i < 100; i += s) {
    a[i] += 1;
    s++;
  }
}
int main(void) {
  region(); /* region */
  return 0;
}
