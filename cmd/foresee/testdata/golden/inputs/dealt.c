// SPDX-License-Identifier: Apache-2.0
//
// Loops with every schedule, each a region, and all of them in one parallel region.
enum { rows = 22, columns = 40 };
static double a[rows][columns], b[rows][columns], x[columns];

void chunks(void)
{
#pragma omp parallel for schedule(static, 3)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            a[i][j] += b[rows - 1 - i][j];
}

void dynamic(void)
{
#pragma omp parallel for schedule(dynamic, 2)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= i; j++)
            a[i][j] += b[j][i];
}

void guided(void)
{
#pragma omp parallel for schedule(guided)
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            x[j] += a[i][j];
}

void collapsed(void)
{
#pragma omp parallel for collapse(2) schedule(guided, 7)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            b[i][j] = 2 * a[i][columns - 1 - j];
}

void together(void)
{
    double sum = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                a[i][j] = i + j;
#pragma omp for schedule(dynamic, 5)
        for (int j = 0; j < columns; j++)
            x[j] = a[0][j];
#pragma omp for schedule(guided) reduction(+ : sum)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                sum += a[i][j] * x[j];
#pragma omp single
        x[0] = sum;
    }
}
