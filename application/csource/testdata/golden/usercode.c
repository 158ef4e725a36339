// Ordinary user code: everything in main, sizes set at run time but given by -D.
// options: -D n=30 -D steps=4
#include <stdio.h>
#include <stdlib.h>
#include <omp.h>
#define IDX(i, j) ((i) * n + (j))
int steps = 100;
static double *alloc(int n)
{
	double *p = (double *)malloc(n * sizeof(double));
	if (!p) {
		fprintf(stderr, "no memory\n");
		exit(1);
	}
	return p;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 64;
	double *u = alloc(n * n), *v = (double *)malloc(sizeof(double) * n * n);
	double err = 0.0, t0 = omp_get_wtime();
	if (u == NULL || v == NULL)
		return 1;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			u[IDX(i, j)] = v[IDX(i, j)] = rand() / (double)RAND_MAX;
	for (int s = 0; s < steps; s++) {
		err = 0;
#pragma omp parallel for reduction(max : err)
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++) {
				v[IDX(i, j)] = 0.25 * (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] + u[IDX(i, j + 1)]);
				double d = v[IDX(i, j)] - u[IDX(i, j)];
				if (d < 0) d = -d;
				err = err < d ? d : err;
			}
#pragma omp parallel for
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				u[IDX(i, j)] = v[IDX(i, j)];
	}
	printf("%g %g\n", err, omp_get_wtime() - t0);
	free(u);
	free(v);
}
