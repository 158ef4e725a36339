#define N 900
int d[N];
void f(void) { for (int s = 1; s < 9; s++) for (int o = 0; o < s; o++) for (int j = o; j < N; j = j + s) d[j] = o; for (unsigned s = 1; s < 9; s++) for (unsigned j = s; j < N; j += 2 * s + 1) d[j] = 1; }
