#define N 2000
char p[N];
void f(void) { for (int i = 2; i*i < N; i++) for (int j = i*i; j < N; j += i) p[j] = 1; }
