/* dealt.c - which thread of a team an OpenMP library lets run which iterations of loops of all kinds.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each line is of one loop: kind, iterations, threads, chunk; then for each iteration its thread, with a | in front where
 * a chunk begins that was asked for. Threads ask in turn, which the calls that compilers make of a loop allow, but its
 * source does not. */
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

extern int omp_get_thread_num(void);
extern bool GOMP_loop_dynamic_start(long, long, long, long, long *, long *);
extern bool GOMP_loop_dynamic_next(long *, long *);
extern bool GOMP_loop_guided_start(long, long, long, long, long *, long *);
extern bool GOMP_loop_guided_next(long *, long *);
extern void GOMP_loop_end_nowait(void);

enum { MOST = 1000 };
static int owner[MOST];
static bool begins[MOST];
static atomic_int turn;

static void take(long first, long end) {
    begins[first] = true;
    for (long i = first; i < end; i++)
        owner[i] = omp_get_thread_num();
}

static bool ask(bool guided, bool first, long n, long chunk, long *from, long *to) {
    if (guided)
        return first ? GOMP_loop_guided_start(0, n, 1, chunk, from, to) : GOMP_loop_guided_next(from, to);
    return first ? GOMP_loop_dynamic_start(0, n, 1, chunk, from, to) : GOMP_loop_dynamic_next(from, to);
}

static void on_demand(bool guided, long n, int threads, long chunk) {
    atomic_store(&turn, 0);
#pragma omp parallel num_threads(threads)
    {
        int me = omp_get_thread_num();
        bool more = true;
        for (bool first = true; more; first = false) {
            while (atomic_load(&turn) % threads != me)
                sched_yield();
            long from, to;
            more = ask(guided, first, n, chunk, &from, &to);
            if (more)
                take(from, to);
            atomic_fetch_add(&turn, 1); /* who gets nothing leaves: so do all others, in their turns */
        }
        GOMP_loop_end_nowait();
    }
}

static void blocks(long n, int threads) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (long i = 0; i < n; i++)
        owner[i] = omp_get_thread_num();
}

static void chunks(long n, int threads, long chunk) {
#pragma omp parallel for num_threads(threads) schedule(static, chunk)
    for (long i = 0; i < n; i++)
        owner[i] = omp_get_thread_num();
}

static void print(int kind, long n, int threads, long chunk) {
    printf("%d %ld %d %ld:", kind, n, threads, chunk);
    for (long i = 0; i < n; i++) {
        printf(" %s%d", begins[i] ? "|" : "", owner[i]);
        begins[i] = false;
    }
    puts("");
}

int main(void) {
    static const long sizes[] = {0, 1, 2, 5, 8, 9, 13, 20, 27, 40, 999};
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++)
        for (int threads = 1; threads <= 9; threads++) {
            long n = sizes[s];
            blocks(n, threads);
            print(0, n, threads, 0);
            for (long chunk = 1; chunk <= 7; chunk += 2) {
                chunks(n, threads, chunk);
                print(1, n, threads, chunk);
                on_demand(false, n, threads, chunk);
                print(2, n, threads, chunk);
                on_demand(true, n, threads, chunk);
                print(3, n, threads, chunk);
            }
        }
    return 0;
}
