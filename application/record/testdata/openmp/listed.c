/* listed.c - regions inside others: how many threads each has where OMP_NUM_THREADS is a list, and where the program says a number.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>
#include <stdio.h>

static void sizes(const char *name) {
    int size[4] = {0}, most[4] = {0}, all = 0;
    most[0] = omp_get_max_threads();
#pragma omp parallel reduction(+ : all)
    {
        if (omp_get_thread_num() == 0) {
            size[1] = omp_get_num_threads();
            most[1] = omp_get_max_threads();
        }
#pragma omp parallel reduction(+ : all)
        {
            if (omp_get_ancestor_thread_num(1) == 0 && omp_get_thread_num() == 0) {
                size[2] = omp_get_num_threads();
                most[2] = omp_get_max_threads();
            }
#pragma omp parallel reduction(+ : all)
            {
                all++;
                if (omp_get_ancestor_thread_num(1) == 0 && omp_get_ancestor_thread_num(2) == 0 && omp_get_thread_num() == 0) {
                    size[3] = omp_get_num_threads();
                    most[3] = omp_get_max_threads();
                }
            }
        }
    }
    printf("%s: %d; %d then %d, %d then %d, %d then %d: %d\n", name, most[0], size[1], most[1], size[2], most[2], size[3], most[3], all);
}

int main(void) {
    sizes("listed");
    omp_set_num_threads(3);
    sizes("set outside");
#pragma omp parallel num_threads(2)
    {
        omp_set_num_threads(3);
#pragma omp master
        sizes("set within");
    }
    omp_set_max_active_levels(2);
    sizes("two levels");
    return 0;
}
