#define N 900
int d[N], c[N];
void f(void) { int i = 2; while (i * i < N) { for (int j = i; j <= N - 1; j += i) d[j] += c[i]; i++; } d[i] = 7; }
