#define N 80
double d[N*(N-1)/2], s[N][N];
void f(void) { int k = 0; for (int i = 0; i < N - 1; i++) for (int j = i + 1; j < N; j++, k++) d[k] = s[i][j] + s[j][i]; for (int i = 0; i < N; i++) for (int j = i+1; j < N; j++) s[i][j] = d[N*i - (i*(i+1))/2 + j - i - 1]; }
