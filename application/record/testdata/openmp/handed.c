/* handed.c - what threads are handed of one among them: copyin and copyprivate of arrays and structures that each thread has its own of.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>
#include <stdio.h>

struct state {
    double a[5];
    int n;
};
static struct state state;
static int list[7], one;
#pragma omp threadprivate(state, list, one)
static double results[64];

static double own(void) {
    double x = state.n + one;
    for (int i = 0; i < 5; i++)
        x += state.a[i];
    for (int i = 0; i < 7; i++)
        x += list[i] * (i + 1);
    return x;
}

static void print(const char *what) {
    double sum = 0;
    for (int i = 0; i < 64; i++)
        sum += results[i] * (i + 1);
    printf("%s %g\n", what, sum);
}

static void in(void) {
    for (int i = 0; i < 7; i++)
        list[i] = i;
    state = (struct state){{0, 0.5, 1, 1.5, 2}, 3};
    one = 11;
#pragma omp parallel copyin(state, list, one)
    {
        int me = omp_get_thread_num();
        results[me] = own();
        state.n = me;
        list[2] = me * 10;
        one = me * 100;
    }
    print("copyin");
}

static void after_one(void) {
#pragma omp parallel
    for (int round = 0; round < 3; round++) {
        int me = omp_get_thread_num(), local[3];
        struct state mine;
        double before = own();
#pragma omp single copyprivate(state, list, one)
        {
            state.n = 40 + round;
            state.a[1] = 17;
            list[3] = 99;
            list[2] = 5;
            one = 8;
        }
        results[me] += own() + (before < 0);
#pragma omp single copyprivate(mine, local, list)
        {
            mine = state;
            mine.n = 77;
            local[2] = 3;
            list[6] = 1000 * round;
        }
        results[me] += mine.n + mine.a[1] + local[2] + list[6];
    }
    print("copyprivate");
}

static void inside(void) {
    omp_set_max_active_levels(2);
    double sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        list[1] = 50 + omp_get_thread_num();
        state.n = omp_get_thread_num() + 1;
#pragma omp parallel num_threads(3) copyin(list, state) reduction(+ : sum)
        {
            sum += list[1] * (omp_get_thread_num() + 1) + state.n;
#pragma omp single copyprivate(list)
            list[4] = list[1] * 2;
            sum += list[4];
        }
    }
    printf("inside %g\n", sum);
}

int main(void) {
    in();
    after_one();
    inside();
    return 0;
}
