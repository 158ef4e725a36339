// Constants that come through calls, globals, and members.
#include <stdlib.h>
int N;
const int M = 3;
static void inner(int n, int m, double a[n][m])
{
	n--;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			a[i][j] = N;
}
static void outer(int size, double *p) { inner(size, M + 1, (double (*)[M + 1]) p); }
int main(void)
{
	int k = 4, count = 0;
	N = 7;
	double *q = calloc(N * 4, sizeof *q);
	outer(N, q);
	for (int i = 0; i < N; i++) {
		if (q[i] > 0)
			count++;
		q[k] += count;
	}
	return count;
}
