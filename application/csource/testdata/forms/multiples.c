#define N 500
int d[N];
void f(void) { for (int i = 2; i <= N/2; i++) for (int j = 2*i; j < N; j += i) d[j] = d[j] + d[i]; }
