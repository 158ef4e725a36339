#define K 4
#define N 50
double buf[K][N], a[N];
void f(void) { for (int t = 0; t < 101; t++) for (int i = 0; i < N; i++) buf[t % K][i] = a[i] + buf[(t + 1) % K][i]; }
