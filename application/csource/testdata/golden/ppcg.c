// In the style of PPCG's output.
#define ppcg_min(x, y) ({ __typeof__(x) _x = (x); __typeof__(y) _y = (y); _x < _y ? _x : _y; })
#define ppcg_max(x, y) ({ __typeof__(x) _x = (x); __typeof__(y) _y = (y); _x > _y ? _x : _y; })
#define ppcg_fdiv_q(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define ceild(n, d) (((n) < 0) ? -((-(n)) / (d)) : ((n) + (d) - 1) / (d))
void kernel_tiled(int n, float A[n][n], float x[n])
{
	for (int c0 = 0; c0 <= ppcg_fdiv_q(n - 1, 32); c0 += 1)
#pragma omp parallel for
		for (int c1 = 0; c1 < n; c1 += 32)
			for (int c2 = 0; c2 <= ppcg_min(31, n - 32 * c0 - 1); c2 += 1)
				for (int c3 = ppcg_max(ceild(c2 - 7, 4), 0); c3 <= (n >= c1 + 32 ? 31 : n - c1 - 1); c3 += 1)
					A[32 * c0 + c2][c1 + c3] += x[c1 + c3];
}
int main(void)
{
	const int n = 100;
	static float A[100][100], x[100];
	kernel_tiled(n, A, x);
}
