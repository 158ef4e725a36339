/* ends.c - programs that end in other ways than by a return from main.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void late(void) {
    int n = 0;
#pragma omp parallel reduction(+ : n)
    n++;
    printf("at exit %d\n", n > 0);
}

static void wait_for_ever(void) {
    omp_lock_t l;
    omp_init_lock(&l);
#pragma omp parallel num_threads(3)
    {
        omp_set_lock(&l);
#pragma omp barrier
    }
}

static void lock_twice(void) {
    omp_lock_t l;
    omp_init_lock(&l);
    omp_set_lock(&l);
    omp_set_lock(&l);
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    atexit(late);
    if (!strcmp(how, "exit")) {
#pragma omp parallel num_threads(3)
        if (omp_get_thread_num() == 2)
            exit(5);
    } else if (!strcmp(how, "deadlock")) {
        wait_for_ever();
    } else if (!strcmp(how, "lock")) {
        lock_twice();
    }
    return 0;
}
