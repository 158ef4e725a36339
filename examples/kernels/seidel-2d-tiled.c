// SPDX-License-Identifier: Apache-2.0
//
// Gauss-Seidel iteration in the plane, tiled in time and space: with rows skewed to t + i and columns to 2 t +
// i + j every dependence points forwards, so cubic tiles are legal. The tiles on one wavefront t1 (time tile
// plus row tile) are parallel in t2; the column tiles t3 of each are in sequence.
#include "harness.h"

#ifndef TSTEPS
#define TSTEPS SIZE(8, 40, 100, 500, 1000)
#endif
#ifndef N
#define N SIZE(38, 120, 400, 2000, 4000)
#endif
#ifndef TILE
#define TILE SIZE(8, 16, 32, 32, 32)
#endif

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))

static double A[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = (double)((i * (j + 2)) % 43 + 2) / 43;
}

static void kernel_seidel_2d_tiled(void)
{
    int t1, t2, t3, t4, t5, t6;
    int lbp, ubp;
#pragma scop
    for (t1 = 0; t1 <= floord(TSTEPS - 1, TILE) + floord(TSTEPS + N - 3, TILE); t1++) {
        lbp = max(0, t1 - floord(TSTEPS - 1, TILE));
        ubp = min(floord(TSTEPS + N - 3, TILE), t1);
#pragma omp parallel for private(t3, t4, t5, t6)
        for (t2 = lbp; t2 <= ubp; t2++)
            for (t3 = floord(TILE * (t1 - t2) + max(TILE * t2, TILE * (t1 - t2) + 1) + 1, TILE);
                 t3 <= floord(min(TSTEPS - 1, TILE * (t1 - t2) + TILE - 1) + TILE * t2 + TILE - 1 + N - 2, TILE); t3++)
                for (t4 = TILE * (t1 - t2); t4 <= min(TSTEPS - 1, TILE * (t1 - t2) + TILE - 1); t4++)
                    for (t5 = max(TILE * t2, t4 + 1); t5 <= min(TILE * t2 + TILE - 1, t4 + N - 2); t5++)
                        for (t6 = max(TILE * t3, t4 + t5 + 1); t6 <= min(TILE * t3 + TILE - 1, t4 + t5 + N - 2); t6++)
                            A[t5 - t4][t6 - t5 - t4] =
                                (A[t5 - t4 - 1][t6 - t5 - t4 - 1] + A[t5 - t4 - 1][t6 - t5 - t4] +
                                 A[t5 - t4 - 1][t6 - t5 - t4 + 1] + A[t5 - t4][t6 - t5 - t4 - 1] +
                                 A[t5 - t4][t6 - t5 - t4] + A[t5 - t4][t6 - t5 - t4 + 1] +
                                 A[t5 - t4 + 1][t6 - t5 - t4 - 1] + A[t5 - t4 + 1][t6 - t5 - t4] +
                                 A[t5 - t4 + 1][t6 - t5 - t4 + 1]) /
                                9.0;
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_seidel_2d_tiled();
        harness_stop();
    }
    harness_report(checksum(&A[0][0], N * N));
    return 0;
}
