// Small functions called in loops; memset and memcpy.
#include <string.h>
#include <stdio.h>
#define N 10
double A[N][N], B[N], C[N];
static inline double sq(double x) { return x * x; }
static inline int imin(int a, int b) { return a < b ? a : b; }
static int clampi(int i, int n) { if (i < 0) return 0; if (i >= n) return n - 1; return i; }
static double dot(const double *x, const double *y, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += x[i] * y[i];
	return s;
}
static void axpy(int n, double a, double *x, double *y)
{
	double buf[N];
#pragma omp simd
	for (int i = 0; i < n; i++) {
		buf[i] = a * x[i];
		y[i] += buf[i];
	}
}
static void add(double *sum, double v) { *sum += v; }
void driver(void)
{
	double total = 0;
	memset(B, 0, sizeof(B));
	memcpy(C, B, sizeof B);
#pragma omp parallel for
	for (int i = 0; i < N; i++) {
		B[i] = sq(B[i]) + dot(A[i], B, N) * C[i];
		axpy(imin(i + 3, N), 2.0, A[i], C);
		C[i] = A[i][clampi(i - 1, N)];
		add(&total, B[i]);
		add(&C[i], total);
	}
	printf("%f\n", total);
}
int main(void) { for (int t = 0; t < 3; t++) driver(); }
