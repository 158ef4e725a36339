// SPDX-License-Identifier: Apache-2.0
//
// One matrix times several vectors: Y[v][i] = sum over j of A[i][j] X[v][j]. Vectors and rows are parallel
// together (collapse). The arrays come from malloc.
#include "harness.h"

#ifndef NV
#define NV SIZE(6, 8, 8, 8, 8)
#endif
#ifndef N
#define N SIZE(70, 320, 640, 1500, 3000)
#endif

static void init(int nv, int n, double A[n][n], double X[nv][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = (double)((i * 5 + j * 3) % 31 + 1) / 31;
    for (int v = 0; v < nv; v++)
        for (int j = 0; j < n; j++)
            X[v][j] = (double)((v * 7 + j) % 13 + 1) / 13;
}

static void kernel_matvec_collapse(int nv, int n, double A[n][n], double X[nv][n], double Y[nv][n])
{
    int v, i, j;
#pragma scop
#pragma omp parallel for collapse(2) private(j)
    for (v = 0; v < nv; v++)
        for (i = 0; i < n; i++) {
            Y[v][i] = 0.0;
            for (j = 0; j < n; j++)
                Y[v][i] += A[i][j] * X[v][j];
        }
#pragma endscop
}

int main(void)
{
    double (*A)[N] = malloc(sizeof(double[N][N]));
    double (*X)[N] = malloc(sizeof(double[NV][N]));
    double (*Y)[N] = malloc(sizeof(double[NV][N]));
    for (int run = 0; run < REPEAT; run++) {
        init(NV, N, A, X);
        harness_start();
        kernel_matvec_collapse(NV, N, A, X, Y);
        harness_stop();
    }
    harness_report(checksum(&Y[0][0], NV * N));
    free(A);
    free(X);
    free(Y);
    return 0;
}
