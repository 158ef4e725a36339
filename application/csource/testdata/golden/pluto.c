// In the style of Pluto's output.
#include <math.h>
#define ceild(n, d) ceil(((double)(n)) / ((double)(d)))
#define floord(n, d) floor(((double)(n)) / ((double)(d)))
#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))
#define N 50
#define T 10
double a[2][N + 2][N + 2];
#define S1(t, i, j) a[(t + 1) % 2][i][j] = 0.25 * (a[t % 2][i - 1][j] + a[t % 2][i + 1][j] + a[t % 2][i][j - 1] + a[t % 2][i][j + 1]);
int main(void)
{
	int t1, t2, t3, t4, t5, t6;
	register int lbv, ubv;
	int lb, ub, lbp, ubp, lb2, ub2;
	if ((N >= 1) && (T >= 1)) {
#pragma scop
		for (t1 = -1; t1 <= floord(T - 1, 8); t1++) {
			lbp = max(ceild(t1, 2), ceild(16 * t1 - T + 2, 16));
			ubp = min(floord(2 * T + N - 2, 16), floord(8 * t1 + N + 7, 16));
#pragma omp parallel for private(lbv, ubv, t3, t4, t5, t6)
			for (t2 = lbp; t2 <= ubp; t2++) {
				for (t4 = max(max(0, 8 * t1), 16 * t2 - N); t4 <= min(min(T - 1, 8 * t1 + 7), 16 * t2 + 14); t4++) {
					lbv = max(16 * t2, t4 + 1);
					ubv = min(16 * t2 + 15, t4 + N);
#pragma ivdep
#pragma vector always
					for (t6 = lbv; t6 <= ubv; t6++) {
						if (t1 % 2 == 0) {
							S1(t4, (-t4 + t6), (t6 - t4))
						}
					}
				}
			}
		}
#pragma endscop
	}
	return 0;
}
