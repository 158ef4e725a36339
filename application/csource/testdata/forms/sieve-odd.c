#define N 600
int d[N];
void f(void) { for (int i = 3; i * i <= N - 1; i += 2) for (int j = i*i; j < N; j += 2*i) d[j] = 1; }
