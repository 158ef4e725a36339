// options: by=loop
// One region for each outermost nest.
#define N 6
double A[N], B[N];
void sweep(void)
{
	double x = A[0];
	for (int i = 0; i < N; i++) A[i] = x;
	B[0] = 1;
#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < N; i++) B[i] = A[i];
	}
	for (int t = 0; t < 2; t++)
		for (int i = 0; i < N; i++) A[i] += B[i];
}
