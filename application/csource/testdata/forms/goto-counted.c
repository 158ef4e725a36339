#define N 100
double a[N], b[N];
void f(void) { int i = 0; again: a[i] = b[i]; i++; if (i < N) goto again; }
