// SPDX-License-Identifier: Apache-2.0
//
// Jacobi iteration in the plane, tiled in time and space in the style of the Pluto compiler: i and j are skewed
// by 2 t, the second half step by one more, which makes cubic tiles legal. The tiles on one wavefront t1 (time
// tile plus row tile) are parallel in t2; the column tiles t3 of each are in sequence.
#include "harness.h"

#ifndef TSTEPS
#define TSTEPS SIZE(10, 40, 100, 500, 1000)
#endif
#ifndef N
#define N SIZE(30, 90, 250, 1300, 2800)
#endif
#ifndef TILE
#define TILE SIZE(8, 16, 32, 32, 32)
#endif

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))

static double A[N][N];
static double B[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = B[i][j] = (double)((i * (j + 2)) % 41 + 2) / 41;
}

static void kernel_jacobi_2d_timetiled(void)
{
    int t1, t2, t3, t4, t5, t6;
    int lbp, ubp;
#pragma scop
    for (t1 = 0; t1 <= floord(TSTEPS - 1, TILE) + floord(2 * TSTEPS + N - 3, TILE); t1++) {
        lbp = max(0, t1 - floord(TSTEPS - 1, TILE));
        ubp = min(floord(2 * TSTEPS + N - 3, TILE), t1);
#pragma omp parallel for private(t3, t4, t5, t6)
        for (t2 = lbp; t2 <= ubp; t2++)
            for (t3 = floord(2 * TILE * (t1 - t2) + 1, TILE);
                 t3 <= floord(2 * min(TSTEPS - 1, TILE * (t1 - t2) + TILE - 1) + N - 1, TILE); t3++)
                for (t4 = TILE * (t1 - t2); t4 <= min(TSTEPS - 1, TILE * (t1 - t2) + TILE - 1); t4++)
                    for (t5 = max(TILE * t2, 2 * t4 + 1); t5 <= min(TILE * t2 + TILE - 1, 2 * t4 + N - 1); t5++)
                        for (t6 = max(TILE * t3, 2 * t4 + 1); t6 <= min(TILE * t3 + TILE - 1, 2 * t4 + N - 1); t6++) {
                            if (t5 <= 2 * t4 + N - 2 && t6 <= 2 * t4 + N - 2)
                                B[t5 - 2 * t4][t6 - 2 * t4] =
                                    0.2 * (A[t5 - 2 * t4][t6 - 2 * t4] + A[t5 - 2 * t4][t6 - 2 * t4 - 1] +
                                           A[t5 - 2 * t4][t6 - 2 * t4 + 1] + A[t5 - 2 * t4 + 1][t6 - 2 * t4] +
                                           A[t5 - 2 * t4 - 1][t6 - 2 * t4]);
                            if (t5 >= 2 * t4 + 2 && t6 >= 2 * t4 + 2)
                                A[t5 - 2 * t4 - 1][t6 - 2 * t4 - 1] =
                                    0.2 * (B[t5 - 2 * t4 - 1][t6 - 2 * t4 - 1] + B[t5 - 2 * t4 - 1][t6 - 2 * t4 - 2] +
                                           B[t5 - 2 * t4 - 1][t6 - 2 * t4] + B[t5 - 2 * t4][t6 - 2 * t4 - 1] +
                                           B[t5 - 2 * t4 - 2][t6 - 2 * t4 - 1]);
                        }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_jacobi_2d_timetiled();
        harness_stop();
    }
    harness_report(checksum(&A[0][0], N * N));
    return 0;
}
