// SPDX-License-Identifier: Apache-2.0
//
// Data read and written by steps of some lines, which prefetchers follow less and less, from caches and from memory.
enum { rounds = 4, few = 1 << 20, many = 1 << 27 };
static double near[few], far[many], x[few];

void three_lines(void)
{
#pragma omp parallel
    for (int r = 0; r < rounds; r++)
#pragma omp for
        for (int i = 0; i < few; i += 24)
            near[i] += x[i];
}

void four_lines(void)
{
#pragma omp parallel
    for (int r = 0; r < rounds; r++)
#pragma omp for
        for (int i = 0; i < many; i += 32)
            far[i] = 2 * far[i];
}

void six_lines(void)
{
    double sum = 0;
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < many; i += 48)
            sum += far[i];
    x[0] = sum;
}

void short_runs(void)
{
#pragma omp parallel for
    for (int i = 0; i < many / 512; i++)
        for (int j = 0; j < 24; j++)
            far[512 * i + j] += 1;
}
