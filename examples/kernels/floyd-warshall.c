// SPDX-License-Identifier: Apache-2.0
//
// All shortest paths: d[i][j] = min(d[i][j], d[i][k] + d[k][j]) for each k in turn. The rows i are parallel;
// row k itself keeps its values in step k, since d[k][k] is 0.
#include "harness.h"

#ifndef N
#define N SIZE(30, 120, 400, 2000, 4000)
#endif

static int path[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            path[i][j] = i == j ? 0 : (i * 7 + j * 13) % 101 + ((i + j) % 5 ? 900 : 1);
}

static void kernel_floyd_warshall(void)
{
    int i, j, k;
#pragma scop
    for (k = 0; k < N; k++) {
#pragma omp parallel for private(j)
        for (i = 0; i < N; i++)
            for (j = 0; j < N; j++) {
                int through = path[i][k] + path[k][j];
                int direct = path[i][j];
                path[i][j] = direct < through ? direct : through;
            }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_floyd_warshall();
        harness_stop();
    }
    harness_report(checksum_int(&path[0][0], N * N));
    return 0;
}
