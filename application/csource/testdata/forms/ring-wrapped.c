#define N 45
double a[N][N], b[N][N];
int wrap(int i, int n) { return (i % n + n) % n; }
void f(void) { for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) b[i][j] = a[wrap(i-1,N)][j] + a[wrap(i+1,N)][j] + a[i][wrap(j-3,N)] + a[i][(j+1)%N]; }
