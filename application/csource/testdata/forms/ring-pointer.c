#define N 61
double a[N], *w = a; double s[N];
void f(void) { double *p = a; for (int t = 0; t < 300; t++) { *p = s[0]; if (++p == a + N) p = a; } }
