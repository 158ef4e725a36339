#define N 61
double a[N], s[N];
void f(void) { int pos = 0; for (int t = 0; t < 300; t++) { s[t % N] = a[pos]; pos = pos == 0 ? N - 1 : pos - 1; } int q = 10; for (int t = 0; t < 150; t++) { q = (q - 3 + N) % N; a[q] = t; } }
