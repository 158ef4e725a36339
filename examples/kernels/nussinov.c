// SPDX-License-Identifier: Apache-2.0
//
// Nussinov's folding of an RNA sequence: table[i][j] is the most base pairs in seq[i..j], the best of leaving
// out an end, pairing the ends, or splitting at k. Tables on one diagonal j - i = d are independent: the
// diagonals are in sequence and their elements are parallel.
#include "harness.h"

#ifndef N
#define N SIZE(48, 180, 500, 2000, 4000)
#endif

#define max(a, b) ((a) > (b) ? (a) : (b))

static int seq[N];
static int table[N][N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        seq[i] = (i * i + i / 3) % 4;
        for (int j = 0; j < N; j++)
            table[i][j] = 0;
    }
}

static void kernel_nussinov(void)
{
    int d, i, k;
#pragma scop
    for (d = 1; d < N; d++) {
#pragma omp parallel for private(k)
        for (i = 0; i < N - d; i++) {
            int best = table[i][i + d - 1];
            best = max(best, table[i + 1][i + d]);
            if (d > 1) {
                int pair = seq[i] + seq[i + d] == 3 ? 1 : 0;
                best = max(best, table[i + 1][i + d - 1] + pair);
            }
            for (k = i + 1; k < i + d; k++) {
                int split = table[i][k] + table[k + 1][i + d];
                best = max(best, split);
            }
            table[i][i + d] = best;
        }
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_nussinov();
        harness_stop();
    }
    harness_report(checksum_int(&table[0][0], N * N));
    return 0;
}
