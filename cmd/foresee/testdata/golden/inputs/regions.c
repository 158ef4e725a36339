// SPDX-License-Identifier: Apache-2.0
//
// Several regions: parallel and serial loops, two nests in one function, and a function that is no region.
#ifndef N
#define N 32
#endif
enum { rows = N, columns = 48 };
static double a[rows][columns], b[columns][rows], sums[4096];
static int order[rows];

void transposed(void)
{
#pragma omp parallel for schedule(static, 2)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            a[i][j] += 2 * b[j][i];
}

void summed(void)
{
    for (int i = 0; i < rows; i++)
        sums[i] = 0;
#pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= i; j++)
            sums[i] += a[i][j] * b[j][i];
}

void gathered(void)
{
    for (int i = 0; i < rows; i++)
        sums[order[i]] += 1;
}
