/* inner.c - regions inside a team of one thread, to which OpenMP gives the threads that they ask for.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>
#include <stdio.h>

static int mine = 1;
#pragma omp threadprivate(mine)

static void inside(int depth) {
    int hits[3] = {0}, sum = 0, last = 0, tasks = 0, size = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        omp_set_lock(&lock);
        hits[me]++;
        omp_unset_lock(&lock);
        mine += me;
#pragma omp barrier
#pragma omp for schedule(dynamic, 2) reduction(+ : sum) lastprivate(last)
        for (int i = 0; i < 20; i++) {
            sum += i * mine;
            sum -= i * mine;
            sum += i;
            last = i;
        }
#pragma omp single
        {
            size = omp_get_num_threads() * 100 + omp_get_team_size(omp_get_level());
            for (int i = 0; i < 5; i++)
#pragma omp task
#pragma omp atomic
                tasks++;
        }
#pragma omp parallel num_threads(2) /* inside several threads: one */
#pragma omp atomic
        hits[0] += 10;
    }
    printf("inside %d: %d %d %d, %d %d %d %d, %d\n", depth, hits[0], hits[1], hits[2], sum, last, tasks, size, mine);
    omp_destroy_lock(&lock);
}

int main(void) {
#pragma omp parallel num_threads(1)
    inside(0);
#pragma omp parallel if (omp_get_max_threads() == 1)
    {
#pragma omp single
        if (omp_get_num_threads() == 1)
            inside(1);
#pragma omp critical
        mine += 1;
#pragma omp parallel if (omp_get_max_threads() == 2)
#pragma omp parallel num_threads(2)
#pragma omp master
        if (omp_get_num_threads() == 2)
            inside(2);
    }
    printf("after: %d\n", mine);
    return 0;
}
