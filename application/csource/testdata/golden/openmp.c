// Every OpenMP construct that is followed.
#include <omp.h>
#define N 16
#define CHUNK (N / 4)
double A[N][N], B[N][N], s;
int hist[N];
double tmp[N];
#pragma omp threadprivate(tmp)
void constructs(int n)
{
	int i, j;
	double w[N];
#pragma omp parallel private(w) firstprivate(s) num_threads(4)
	{
		double local[N];
#pragma omp for schedule(static, CHUNK) nowait
		for (i = 0; i < n; i++)
			for (j = 0; j < n; j++)
				A[i][j] = w[j] + local[j] + tmp[j];
#pragma omp single
		A[0][0] = 1;
#pragma omp single nowait
		{
			A[0][1] = 1;
		}
#pragma omp master
		A[0][2] = 1;
#pragma omp barrier
#pragma omp for collapse(2) schedule(dynamic, 2)
		for (i = 0; i < n; i++)
			for (j = 0; j < n; j++) {
				B[i][j] = A[j][i];
#pragma omp critical(name)
				hist[j] += 1;
#pragma omp atomic
				hist[i]++;
			}
		A[1][1] = 3;
#pragma omp for simd schedule(guided)
		for (i = 0; i < n; i++)
			B[i][0] = 0;
#pragma omp barrier
	}
	for (int t = 0; t < 3; t++) {
#pragma omp parallel for \
    private(j) \
    reduction(+ : s) if (n > 4)
		for (i = 1; i < n - 1; i++)
#pragma omp simd
			for (j = 1; j < n - 1; j++)
				s += A[i][j];
#pragma omp parallel for schedule(runtime)
		for (i = 0; i < n; i++)
			A[i][0] = B[i][t];
		A[t][t] = s;
	}
#pragma omp for
	for (i = 0; i < n; i++)
		A[i][i] = 0;
	_Pragma("omp parallel for")
	for (i = 0; i < n; i++)
		A[i][i] = 2;
#pragma omp parallel
	{
#pragma omp parallel for
		for (i = 0; i < n; i++)
			A[i][i] = 1;
	}
}
int main(void) { constructs(N); }
