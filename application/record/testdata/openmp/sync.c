/* sync.c - locks, threadprivate, nested regions, large frames, queries.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>
#include <stdio.h>
#include <string.h>

static int counter = 5;
static double table[40] = {1, 2, 3};
#pragma omp threadprivate(counter, table)

static void locks(void) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    int n = 0, m = 0, t = 0;
#pragma omp parallel
    {
        for (int k = 0; k < 100; k++) {
            omp_set_lock(&lock);
            n++;
            omp_unset_lock(&lock);
        }
        omp_set_nest_lock(&nest);
        omp_set_nest_lock(&nest);
        m += omp_test_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        while (!omp_test_lock(&lock))
            ;
        t++;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    printf("locks %d %d %d\n", n, m, t);
}

static void threadprivate(void) {
    int bad = 0, sum = 0;
    counter = 7;
    table[5] = 50;
#pragma omp parallel reduction(+ : bad, sum)
    {
        int me = omp_get_thread_num();
        bad += counter != (me == 0 ? 7 : 5) || table[2] != 3;
        counter = me * 10;
        table[me % 40] = me;
#pragma omp barrier
        bad += counter != me * 10;
        sum += counter;
    }
#pragma omp parallel reduction(+ : bad, sum)
    bad += counter != omp_get_thread_num() * 10;
    counter = 123;
    table[7] = 77;
#pragma omp parallel copyin(counter, table) reduction(+ : bad, sum)
    {
        bad += counter != 123 || table[7] != 77;
        counter += omp_get_thread_num();
        sum += counter;
    }
    printf("threadprivate %d %d %d\n", bad, sum, counter);
}

static void nested(void) {
    int n = 0, levels = 0, sum = 0;
#pragma omp parallel reduction(+ : levels)
    {
#pragma omp for schedule(dynamic, 1)
        for (int k = 0; k < 8; k++) {
            int mine = 0;
#pragma omp parallel num_threads(3) reduction(+ : mine)
            {
#pragma omp for
                for (int i = 0; i < 10; i++)
                    mine += i;
#pragma omp for schedule(dynamic)
                for (int i = 0; i < 10; i++)
                    mine += i;
#pragma omp single
#pragma omp atomic
                n++;
#pragma omp barrier
#pragma omp sections
                {
#pragma omp section
#pragma omp atomic
                    n += 10;
                }
#pragma omp single
#pragma omp task shared(n)
#pragma omp atomic
                n += 100;
            }
#pragma omp atomic
            sum += mine;
        }
        levels += omp_get_level() * 10 + omp_get_ancestor_thread_num(1) - omp_get_thread_num() + omp_get_team_size(0);
#pragma omp parallel if (0)
#pragma omp atomic
        levels += omp_get_level() + omp_get_num_threads() + omp_get_thread_num();
    }
    printf("nested %d %d %d\n", n, sum, levels);
}

/* A region that one thread runs is no reason for those inside it not to have all. */
static void serialised(void) {
    int n = 0, level = 0;
#pragma omp parallel if (0)
#pragma omp parallel reduction(+ : n) reduction(max : level)
    {
        n += omp_get_num_threads() + omp_get_ancestor_thread_num(1);
        level = omp_get_level() * 10 + omp_get_active_level() * (omp_get_num_threads() > 1);
    }
    printf("serialised %d %d\n", n, level);
}

static int deep(int n, volatile char *above) {
    volatile char frame[1000];
    frame[n % 1000] = (char)n;
    if (n == 0)
        return above[0] * 0;
    return deep(n - 1, frame) + (frame[n % 1000] == (char)n);
}

static void large_frames(int n) {
    int bad = 0;
#pragma omp parallel reduction(+ : bad)
    {
        int vla[n * (omp_get_thread_num() % 5 + 1)];
        memset(vla, 1, sizeof vla);
        char big[100000];
        memset(big, omp_get_thread_num(), sizeof big);
#pragma omp barrier
        bad += big[99999] != (char)omp_get_thread_num() || vla[n - 1] != 0x01010101;
        bad += deep(2000, big) != 2000;
    }
    printf("frames %d\n", bad);
}

static void queries(void) {
    int bad = 0, total = 0;
#pragma omp parallel reduction(+ : bad, total)
    {
        bad += omp_get_num_threads() != omp_get_max_threads() || !omp_get_wtime() || omp_get_level() != 1;
        total++;
    }
    bad += omp_in_parallel() || omp_get_level() || omp_get_thread_num() || omp_get_num_threads() != 1;
    bad += omp_get_ancestor_thread_num(0) || omp_get_team_size(0) != 1 || omp_get_team_size(5) != -1;
    omp_set_num_threads(2);
    int two = 0;
#pragma omp parallel
#pragma omp atomic
    two++;
    omp_sched_t kind;
    int chunk;
    omp_set_schedule(omp_sched_dynamic, 4);
    omp_get_schedule(&kind, &chunk);
    printf("queries %d %d %d, schedule %d %d\n", bad, total, two, (int)kind, chunk);
    int serial = 0;
#pragma omp for
    for (int i = 0; i < 10; i++)
        serial += i;
#pragma omp single
    serial++;
#pragma omp barrier
#pragma omp critical
    serial++;
#pragma omp task shared(serial)
    serial++;
#pragma omp taskwait
    printf("orphaned %d\n", serial);
}

int main(void) {
    locks();
    threadprivate();
    nested();
    serialised();
    large_frames(1000);
    queries();
    return 0;
}
