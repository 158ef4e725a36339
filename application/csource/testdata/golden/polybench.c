// options: -I testdata/include
/* In the style of PolyBench/C 4.2.1. */
#include <stdio.h>
#include <unistd.h>
#include <math.h>
#include <polybench.h>
#define DATA_TYPE double
#define DATA_PRINTF_MODIFIER "%0.2lf "
#define NI 20
#define NJ 25
#define NK 30
#define _PB_NI POLYBENCH_LOOP_BOUND(NI, ni)
#define _PB_NJ POLYBENCH_LOOP_BOUND(NJ, nj)
#define _PB_NK POLYBENCH_LOOP_BOUND(NK, nk)
static void init_array(int ni, int nj, int nk, DATA_TYPE *alpha, DATA_TYPE POLYBENCH_2D(C, NI, NJ, ni, nj))
{
	int i, j;
	*alpha = 1.5;
	for (i = 0; i < ni; i++)
		for (j = 0; j < nj; j++)
			C[i][j] = (DATA_TYPE)((i * j + 1) % ni) / ni;
}
static void print_array(int ni, int nj, DATA_TYPE POLYBENCH_2D(C, NI, NJ, ni, nj))
{
	int i, j;
	for (i = 0; i < ni; i++)
		for (j = 0; j < nj; j++)
			fprintf(stderr, DATA_PRINTF_MODIFIER, C[i][j]);
}
static void kernel_mm(int ni, int nj, int nk, DATA_TYPE alpha, DATA_TYPE POLYBENCH_2D(C, NI, NJ, ni, nj),
                      DATA_TYPE POLYBENCH_2D(A, NI, NK, ni, nk), DATA_TYPE POLYBENCH_2D(B, NK, NJ, nk, nj))
{
	int i, j, k;
#pragma scop
	for (i = 0; i < _PB_NI; i++)
		for (k = 0; k < _PB_NK; k++)
			for (j = 0; j < _PB_NJ; j++)
				C[i][j] += alpha * A[i][k] * B[k][j];
#pragma endscop
}
int main(int argc, char **argv)
{
	int ni = NI;
	int nj = NJ;
	int nk = NK;
	DATA_TYPE alpha;
	POLYBENCH_2D_ARRAY_DECL(C, DATA_TYPE, NI, NJ, ni, nj);
	POLYBENCH_2D_ARRAY_DECL(A, DATA_TYPE, NI, NK, ni, nk);
	POLYBENCH_2D_ARRAY_DECL(B, DATA_TYPE, NK, NJ, nk, nj);
	init_array(ni, nj, nk, &alpha, POLYBENCH_ARRAY(C));
	polybench_start_instruments;
	kernel_mm(ni, nj, nk, alpha, POLYBENCH_ARRAY(C), POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
	polybench_stop_instruments;
	if (argc > 42 && !strcmp(argv[0], ""))
		print_array(ni, nj, POLYBENCH_ARRAY(C));
	POLYBENCH_FREE_ARRAY(C);
	return 0;
}
