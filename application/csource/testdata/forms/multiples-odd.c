#define N 500
int d[N];
void f(void) { for (int i = 1; i < N; i++) for (int j = i; j < N; j += i + 1) d[j] += i; }
