// SPDX-License-Identifier: Apache-2.0
//
// Loops with every schedule, of one recording that is dealt to any number of threads.
#include <stdio.h>

enum { rows = 24, columns = 40 };
static double a[rows][columns], b[rows][columns], x[columns];
static int counts[8];

static void deal(void)
{
    double sum = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                a[i][j] = i + j;
#pragma omp for schedule(static, 3)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                b[i][j] = 2 * a[i][columns - 1 - j];
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j <= i; j++)
                a[i][j] += b[j][i];
#pragma omp for schedule(guided)
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < rows; i++)
                x[j] += a[i][j];
#pragma omp for collapse(2) schedule(static) reduction(+ : sum)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                sum += a[i][j] * b[i][j];
#pragma omp for schedule(dynamic)
        for (int i = 0; i < rows; i++) {
#pragma omp atomic
            counts[i % 8]++;
        }
#pragma omp single
        x[0] = sum;
    }
}

static void pieces(void)
{
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            for (int j = 0; j < columns; j++)
                b[0][j] += 1;
#pragma omp section
            for (int j = 0; j < columns; j++)
                b[1][j] += 2;
        }
#pragma omp critical
        counts[1] = 1;
    }
}

static void stencil(void)
{
    for (int step = 0; step < 3; step++) {
#pragma omp parallel for
        for (int i = 1; i < rows - 1; i++)
            for (int j = 1; j < columns - 1; j++)
                b[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) / 4;
    }
}

int main(void)
{
    deal();
    pieces();
    stencil();
    printf("%g %d %g\n", x[0], counts[3], b[5][7]);
    return 0;
}
