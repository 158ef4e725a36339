// SPDX-License-Identifier: Apache-2.0
//
// Jacobi iteration on a line, tiled in time and space in the style of the Pluto compiler. With t2 = 2 t + i
// both half steps only depend on points that are not after them in t and t2, so square tiles are legal; the
// tiles on one wavefront t1 (the sum of their two numbers) are parallel.
#include "harness.h"

#ifndef TSTEPS
#define TSTEPS SIZE(20, 200, 300, 500, 1000)
#endif
#ifndef N
#define N SIZE(30, 800, 1200, 2000, 4000)
#endif
#ifndef TILE
#define TILE SIZE(8, 16, 32, 32, 32)
#endif

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define ceild(n, d) (((n) < 0) ? -((-(n)) / (d)) : ((n) + (d) - 1) / (d))

static double A[N];
static double B[N];

static void init(void)
{
    for (int i = 0; i < N; i++)
        A[i] = B[i] = (double)(i * i % 37 + 2) / 37;
}

static void kernel_jacobi_1d_timetiled(void)
{
    int t1, t2, t3, t4;
    int lbp, ubp;
#pragma scop
    for (t1 = 0; t1 <= floord(3 * TSTEPS + N - 4, TILE); t1++) {
        lbp = max(max(0, ceild(2 * t1, 3) - 1), t1 - floord(TSTEPS - 1, TILE));
        ubp = min(floord(2 * TSTEPS + N - 3, TILE), t1);
#pragma omp parallel for private(t3, t4)
        for (t2 = lbp; t2 <= ubp; t2++) {
            for (t3 = TILE * (t1 - t2); t3 <= min(TSTEPS - 1, TILE * (t1 - t2) + TILE - 1); t3++) {
                if (TILE * t2 <= 2 * t3 + 1 && TILE * t2 + TILE - 1 >= 2 * t3 + 1)
                    B[1] = (A[0] + A[1] + A[2]) / 3.0;
                for (t4 = max(TILE * t2, 2 * t3 + 2); t4 <= min(TILE * t2 + TILE - 1, 2 * t3 + N - 2); t4++) {
                    B[t4 - 2 * t3] = (A[t4 - 2 * t3 - 1] + A[t4 - 2 * t3] + A[t4 - 2 * t3 + 1]) / 3.0;
                    A[t4 - 2 * t3 - 1] = (B[t4 - 2 * t3 - 2] + B[t4 - 2 * t3 - 1] + B[t4 - 2 * t3]) / 3.0;
                }
                if (TILE * t2 <= 2 * t3 + N - 1 && TILE * t2 + TILE - 1 >= 2 * t3 + N - 1)
                    A[N - 2] = (B[N - 3] + B[N - 2] + B[N - 1]) / 3.0;
            }
        }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_jacobi_1d_timetiled();
        harness_stop();
    }
    harness_report(checksum(A, N));
    return 0;
}
