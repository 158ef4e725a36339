#ifndef N
#define N 64
#endif
double A[N][N], B[N][N], C[N][N];

void gemm(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                C[i][j] += A[i][k] * B[k][j];
}
