#define N 300
double d[N];
void f(void) { for (int g = 20; g > 0; g--) for (int i = g; i < N; i++) for (int j = i; j >= g; j -= g) d[j - g] = d[j]; }
