#define N 60
double A[2*N*N], s[N];
static int at(int i, int j) { return i * (2 * N - i - 1) / 2 + j; }
void f(void) { for (int i = 0; i < N; i++) for (int j = i; j < N; j++) A[at(i, j)] = s[j] * A[at(j, j)]; for (int j = 0; j < N; j++) for (int i = 0; i <= j; i++) s[j] += A[i + j * (j + 1) / 2]; }
