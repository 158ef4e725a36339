/* pieces.c - one construct after the other: the pieces that the recorder is told.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>

static volatile int x, n = 8;

int main(void) {
#pragma omp parallel
    {
        x = 1;
#pragma omp single
        {
#pragma omp task
            x = 2;
            x = 3;
        }
#pragma omp for schedule(monotonic : guided, (2) * 8 + 2) nowait
        for (int i = 0; i < n; i++)
            x = i;
#pragma omp sections
        {
#pragma omp section
            x = 4;
#pragma omp section
            x = 5;
        }
#pragma omp parallel
#pragma omp for schedule(monotonic : guided, 1)
        for (int i = 0; i < n; i++)
            x = i;
    }
#pragma omp parallel num_threads(3)
    x = omp_get_num_threads() + omp_get_thread_num();
#pragma omp parallel num_threads(1)
    x = 6;
    return 0;
}
