// Flattened arrays, pointer arithmetic, aliases, the same array passed twice.
#include <stdlib.h>
#define N 10
static double G[N][N];
static void copy(double *restrict to, const double *from, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			to[i * n + j] = *(from + j * n + i);
}
void rows(double (*A)[N], float *x, int *idx)
{
	for (int i = 0; i < N; i++) {
		double *row = A[i];
		double *next = &A[i][1];
		float *y = x + 2 * i;
		for (int j = 0; j < N - 1; j++)
			row[j] = next[j] + y[1] + (&x[i])[j] + 2[x];
		idx[i]++;
		--*idx;
		*(A[i]) = 0;
	}
}
void view(int n, double *a)
{
	double (*B)[n] = (double (*)[n])a;
	double *p = a;
	p += n;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			B[i][j] += p[-1] * p[i];
}
int main(void)
{
	double *h = malloc(N * N * sizeof(double));
	float x[3 * N];
	int idx[N];
	copy(h, h, N);
	rows(G, x, idx);
	view(N, h);
	return 0;
}
