/* stacks.c - where the locals and thread-local variables of the threads lie.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static __thread int mine = 4;
static unsigned long local[64], other[64];

int main(void) {
    void *volatile block = malloc(100000);
    unsigned long before = (unsigned long)block;
    int wrong = 0;
    for (int k = 0; k < 3; k++) {
#pragma omp parallel
        {
            int here;
            int t = omp_get_thread_num();
            local[t] = (unsigned long)&here;
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 100; i++)
                other[t] = (unsigned long)&i;
            mine += t;
#pragma omp atomic
            wrong += mine != 4 + (k + 1) * t;
        }
        for (int t = 0; t < omp_get_max_threads(); t++)
            printf("local %d %lx\n", t, local[t]);
    }
    free(block);
    block = malloc(100000);
    printf("thread-local %lx heap moved %d wrong %d\n", (unsigned long)&mine, before != (unsigned long)block, wrong);
    return 0;
}
