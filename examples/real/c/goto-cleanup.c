/* Jumps to a common end. */
#include <stdlib.h>
double total[50];

static int work(int n) {
  int status = -1;
  double *a = malloc(n * sizeof(double));
  if (!a)
    goto end;
  for (int i = 0; i < n; i++)
    a[i] = i;
  for (int i = 0; i < n; i++)
    total[i] = a[n - 1 - i];
  status = 0;
end:
  free(a);
  return status;
}

int main(void) {
  return work(50); /* region */
}
