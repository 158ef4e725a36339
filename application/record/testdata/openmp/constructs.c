/* constructs.c - ordered loops with depend, cancelling that is off, reductions over tasks, teams in teams, numbers of threads that are set.
 * What it prints depends on no number of threads. libgomp spins in ordered loops: so two threads, and few that wait for each other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>
#include <stdio.h>

enum { N = 240 };
static double a[N], b[N], g[16][16];

static void ordered(void) {
#pragma omp parallel for ordered(1) schedule(static, 60) num_threads(2)
    for (int i = 1; i < N; i++) {
        double x = a[i] * 2;
#pragma omp ordered depend(sink : i - 1)
        b[i] = b[i - 1] + x;
#pragma omp ordered depend(source)
    }
#pragma omp parallel for ordered(2) schedule(dynamic, 5) num_threads(2)
    for (int i = 1; i < 16; i++)
        for (int j = 1; j < 16; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            g[i][j] = 0.5 * (g[i - 1][j] + g[i][j - 1]) + i * j;
#pragma omp ordered depend(source)
        }
    printf("ordered %g %.17g\n", b[N - 1], g[15][15]);
}

static void cancelled(void) {
    int n = 0, tasks = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++) {
            if (a[i] == 16) {
#pragma omp cancel for
            }
#pragma omp cancellation point for
#pragma omp atomic
            n++;
        }
#pragma omp single
#pragma omp taskgroup
        for (int i = 0; i < 8; i++) {
#pragma omp task
            {
#pragma omp cancel taskgroup
#pragma omp atomic
                tasks++;
            }
        }
    }
    printf("cancel %d %d\n", n, tasks);
}

static void reduced(void) {
    double sum = 0, loop = 0;
    long tasks = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum, tasks)
        for (int k = 0; k < 24; k++) {
#pragma omp task in_reduction(+ : sum, tasks)
            {
                for (int i = k * 10; i < k * 10 + 10; i++)
                    sum += a[i];
                tasks++;
            }
        }
#pragma omp taskloop reduction(+ : loop) grainsize(16)
        for (int i = 0; i < N; i++)
            loop += a[i];
    }
    printf("reductions %g %ld %g\n", sum, tasks, loop);
}

static void inner(void) {
    int wrong = 0, threads = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : wrong)
    {
        int me = omp_get_thread_num();
#pragma omp parallel num_threads(3) reduction(+ : wrong)
        {
            wrong += omp_get_ancestor_thread_num(1) != me || omp_get_team_size(1) != 2 || omp_get_team_size(2) != 3 ||
                     omp_get_active_level() != 2;
#pragma omp atomic
            threads++;
        }
    }
    printf("inner %d %d\n", wrong, threads);
}

static void set(void) {
    int first = 0, second = 0;
    omp_set_num_threads(2);
#pragma omp parallel
    {
        omp_set_num_threads(5); /* of this thread, for regions inside */
#pragma omp single
        first = omp_get_num_threads();
    }
#pragma omp parallel
#pragma omp single
    second = omp_get_num_threads();
    printf("set %d %d %d\n", first, second, omp_get_max_threads());
}

int main(void) {
    for (int i = 0; i < N; i++)
        a[i] = i % 17;
    ordered();
    cancelled();
    reduced();
    inner();
    set();
}
