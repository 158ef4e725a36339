// if and ?: with affine, opaque and data conditions; continue and early return.
#include <math.h>
#include <stdlib.h>
#define N 12
#define MAX(a, b) ((a) > (b) ? (a) : (b))
double A[N][N], B[N], C[N];
int mode = 2;
int flag[N];
double scale(double x, int k)
{
	if (k > 3)
		return x * 2;
	return x + 1;
}
void conditions(int limit)
{
	double best = 0, sum = 0;
	if (limit <= 0) return;
	for (int i = 0; i < N; i++) {
		int lo = 0;
		if (i > 3) lo = i - 3;
		if (mode == 2) B[i] = 1; else B[i] = 2;
		if (i == 5) continue;
		for (int j = lo; j < N; j++) {
			if ((i + j) % 2 == 0 && j != i)
				A[i][j] = B[j];
			else if (i * j > 20)
				A[i][j] = C[j] + (i > 0 ? A[i - 1][j] : 0.5);
			else {
				A[i][j] = -C[j];
			}
		}
		if (B[i] > 3.0 && flag[i]) {
			sum += B[i];
			C[i] = sqrt(fabs(B[i]));
		} else
			C[i] = B[i] < C[i] ? B[i] : C[i];
		best = MAX(best, B[i]);
		C[i] = scale(C[i], i) + B[i];
		B[i] = B[i] + scale(A[i][i], i);
	}
}
int main(void) { conditions(7); }
