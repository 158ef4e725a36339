#define N 100
double a[N], b[N];
void f(void) { int i = 0; loop: if (i >= N) goto done; a[i] = b[i]; i += 3; goto loop; done: a[0] = 1; for (int k = 0; k < 4; k++) { int j = 5; more: b[j] += a[k]; j++; if (j < 20) { goto more; } } }
