// SPDX-License-Identifier: Apache-2.0
//
// Work split by thread number, which a recording holds for the threads it was made with.
#include <omp.h>
#include <stdio.h>

enum { size = 600 };
static double a[size], b[size], part[16];

int main(void)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num(), team = omp_get_num_threads();
        int first = size * me / team, last = size * (me + 1) / team;
        for (int i = first; i < last; i++)
            a[i] = i;
#pragma omp barrier
        for (int i = first; i < last; i++)
            b[i] = a[size - 1 - i] + a[i];
        for (int i = first; i < last; i++)
            part[me] += b[i];
#pragma omp critical
        part[15] += part[me];
    }
    printf("%g\n", part[15]);
    return 0;
}
