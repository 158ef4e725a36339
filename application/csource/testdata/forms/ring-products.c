#define N 50
double a[N*N], b[N*N];
void f(void) { for (int i = 0; i < N*N; i++) b[(i / N) + (i % N) * N] = a[i]; for (int i = 0; i < N; i++) for (int k = -2; k <= 2; k++) b[i] += a[(i + k + N) % N] * a[(i*i) % 13] ; for (int i = 0; i < N; i++) b[(i * 17 + 5) % N] += 1; }
