/* tasks.c - explicit tasks, dependences, taskloops, taskgroups.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>
#include <stdio.h>

static int fib(int n) {
    int x, y;
    if (n < 2)
        return n;
#pragma omp task shared(x) firstprivate(n) final(n < 5)
    x = fib(n - 1);
#pragma omp task shared(y) firstprivate(n) if (n > 3)
    y = fib(n - 2);
#pragma omp taskwait
    return x + y;
}

static void recursion(void) {
    int f = 0;
#pragma omp parallel
#pragma omp single
    f = fib(15);
    printf("fib %d\n", f);
}

/* Each cell depends on its neighbours above and to the left. */
static void wavefront(void) {
    enum { M = 20 };
    static long c[M + 1][M + 1];
    for (int i = 0; i <= M; i++)
        c[i][0] = c[0][i] = 1;
#pragma omp parallel
#pragma omp master
    for (int i = 1; i <= M; i++)
        for (int j = 1; j <= M; j++)
#pragma omp task firstprivate(i, j) shared(c) depend(in : c[i - 1][j], c[i][j - 1]) depend(out : c[i][j])
            c[i][j] = c[i - 1][j] + c[i][j - 1];
    printf("wavefront %ld\n", c[M][M]);
}

static void chains(void) {
    int x = 0, y = 0, log[64], n = 0, seen = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 30; i++) {
#pragma omp task depend(inout : x) firstprivate(i)
            {
                x = x * 3 + i;
                x %= 10007;
                log[n++] = i;
            }
#pragma omp task depend(in : x) depend(inout : y)
            y += x % 7;
        }
#pragma omp task depend(in : x) if (0)
        seen = x;
#pragma omp taskwait depend(in : y)
        printf("waited %d\n", y);
#pragma omp task depend(mutexinoutset : y)
        y++;
#pragma omp task depend(mutexinoutset : y)
        y++;
#pragma omp taskwait
    }
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += log[i] != i;
    printf("chains %d %d %d %d %d\n", x, y, n, wrong, seen == x);
}

static void taskloops(int n) {
    long sum = 0, last = -1, u = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(10) shared(sum)
        for (int i = 0; i < n; i++)
#pragma omp atomic
            sum += i;
#pragma omp taskloop num_tasks(7) lastprivate(last) shared(sum)
        for (long i = n; i > 0; i -= 3) {
#pragma omp atomic
            sum += i;
            last = i;
        }
#pragma omp taskgroup
        {
#pragma omp taskloop nogroup shared(u) if (n > 3)
            for (unsigned long long i = 5; i < 500; i += 5)
#pragma omp atomic
                u += (long)i;
#pragma omp taskloop nogroup shared(u) collapse(2) if (n < 3)
            for (int i = 0; i < 7; i++)
                for (int j = 0; j < 8; j++)
#pragma omp atomic
                    u += i * j;
        }
        sum += u;
    }
    printf("taskloops %ld %ld %ld\n", sum, last, u);
}

static void groups(void) {
    int n = 0, after = 0, many = 0, finals = 0;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskgroup
            for (int i = 0; i < 10; i++)
#pragma omp task shared(n)
            {
#pragma omp task shared(n)
                {
#pragma omp taskyield
#pragma omp atomic
                    n++;
                }
            }
            after = n;
            for (int i = 0; i < 20000; i++)
#pragma omp task shared(many) untied
#pragma omp atomic
                many++;
        }
#pragma omp task shared(finals) final(1) mergeable
#pragma omp task shared(finals)
#pragma omp atomic
        finals += omp_in_final();
    }
    printf("groups %d %d, many %d, finals %d\n", n, after, many, finals / omp_get_max_threads());
}

static void first_private(void) {
    enum { K = 33 };
    int list[K], sum = 0;
    struct {
        double d[9];
        char c;
    } s = {{1, 2, 3}, 'x'};
    for (int i = 0; i < K; i++)
        list[i] = i;
#pragma omp parallel firstprivate(list)
#pragma omp single
    for (int k = 0; k < 10; k++) {
        s.d[0] = k;
#pragma omp task firstprivate(list, s) shared(sum)
        {
            list[0] = (int)s.d[0];
            int mine = 0;
            for (int i = 0; i < K; i++)
                mine += list[i] * (s.c == 'x');
#pragma omp critical
            sum += mine;
        }
    }
    printf("first private %d\n", sum);
}

int main(void) {
    recursion();
    wavefront();
    chains();
    taskloops(500);
    groups();
    first_private();
    return 0;
}
