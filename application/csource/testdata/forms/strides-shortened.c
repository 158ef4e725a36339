#define N 400
double d[N];
void f(void) { for (int p = 1; p < 20; p++) { for (int j = 0; j + p < N; j += p) d[j] += d[j + p]; for (int j = N - p; j > p; j -= p) d[j] = 0; } }
