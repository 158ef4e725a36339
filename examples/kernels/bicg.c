// SPDX-License-Identifier: Apache-2.0
//
// The two products of the biconjugate gradient method: s = A^T r and q = A p. The columns of A are parallel for
// s, the rows for q; the two loops are independent, so no barrier stands between them.
#include "harness.h"

#ifndef M
#define M SIZE(38, 390, 800, 1900, 3800)
#endif
#ifndef N
#define N SIZE(42, 410, 840, 2100, 4200)
#endif

static double A[N][M];
static double s[M];
static double q[N];
static double p[M];
static double r[N];

static void init(void)
{
    for (int j = 0; j < M; j++)
        p[j] = (double)(j % 11 + 1) / 11;
    for (int i = 0; i < N; i++) {
        r[i] = (double)(i % 7 + 1) / 7;
        for (int j = 0; j < M; j++)
            A[i][j] = (double)((i * 2 + j * 3) % 23 + 1) / 23;
    }
}

static void kernel_bicg(int n, int m, double A[n][m], double s[m], double q[n], double p[m], double r[n])
{
    int i, j;
#pragma scop
#pragma omp parallel private(i, j)
    {
#pragma omp for nowait
        for (j = 0; j < m; j++) {
            s[j] = 0.0;
            for (i = 0; i < n; i++)
                s[j] = s[j] + r[i] * A[i][j];
        }
#pragma omp for
        for (i = 0; i < n; i++) {
            q[i] = 0.0;
            for (j = 0; j < m; j++)
                q[i] = q[i] + A[i][j] * p[j];
        }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_bicg(N, M, A, s, q, p, r);
        harness_stop();
    }
    harness_report(checksum(s, M) + checksum(q, N));
    return 0;
}
