/* rewritten.c - loops as foresee cc leaves them (-DREWRITTEN), and as they were.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>
#include <stdio.h>

#ifdef REWRITTEN
#define STATIC schedule(monotonic : guided, (0) * 8 + 1)
#define STATIC_CHUNK(c) schedule(monotonic : guided, (c) * 8 + 1)
#define DYNAMIC schedule(monotonic : guided, (0) * 8 + 2)
#define DYNAMIC_CHUNK(c) schedule(monotonic : guided, (c) * 8 + 2)
#define GUIDED(c) schedule(monotonic : guided, (c) * 8 + 3)
#define RUNTIME schedule(monotonic : guided, (0) * 8 + 4)
#define AUTO schedule(monotonic : guided, (0) * 8 + 5)
#else
#define STATIC schedule(static)
#define STATIC_CHUNK(c) schedule(static, c)
#define DYNAMIC schedule(dynamic)
#define DYNAMIC_CHUNK(c) schedule(dynamic, c)
#define GUIDED(c) schedule(guided, c)
#define RUNTIME schedule(runtime)
#define AUTO schedule(auto)
#endif

enum { N = 500 };
static int who[N];

static void show(const char *what, int n) {
    unsigned h = 0;
    for (int i = 0; i < N; i++) {
        h = h * 31 + (unsigned)who[i];
        who[i] = 0;
    }
    printf("%s %d %u\n", what, n, h);
}

static void static_loops(int n, int chunk) {
#pragma omp parallel for STATIC
    for (int i = 0; i < n; i++)
        who[i] = omp_get_thread_num() + 1;
    show("static", n);
#pragma omp parallel for STATIC_CHUNK(chunk)
    for (unsigned long long i = 0; i < (unsigned long long)n; i++)
        who[i] = omp_get_thread_num() + 1;
    show("static chunk", n);
#pragma omp parallel
    {
#pragma omp for AUTO nowait
        for (long i = n - 1; i >= 0; i -= 2)
            who[i] = omp_get_thread_num() + 1;
#pragma omp for STATIC_CHUNK(chunk + 1) ordered
        for (int i = n % 2; i < n; i += 2)
#pragma omp ordered
            who[i] = omp_get_thread_num() + 1;
    }
    show("auto, ordered", n);
}

static void shared_loops(int n, int chunk) {
    long sum = 0;
    int last = -1;
#pragma omp parallel for DYNAMIC reduction(+ : sum) lastprivate(last)
    for (int i = 0; i < n; i++) {
        sum += i;
        last = i;
    }
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for DYNAMIC_CHUNK(chunk) collapse(2)
        for (unsigned i = 0; i < (unsigned)n; i++)
            for (int j = 0; j < 3; j++)
                sum += i * (unsigned)j;
#pragma omp for GUIDED(chunk)
        for (unsigned long long i = (unsigned long long)n; i > 0; i--)
            sum += (long)i;
#pragma omp for RUNTIME
        for (short i = 0; i < (short)n; i++)
            sum += i;
#pragma omp sections
        {
#pragma omp section
            sum++;
#pragma omp section
            sum++;
        }
    }
    printf("shared %d %ld %d\n", n, sum, n > 0 ? last : 0);
}

int main(void) {
    for (int n = 0; n < N; n += n < 70 ? 1 : 113) {
        static_loops(n, n % 9 + 1);
        shared_loops(n, n % 7 + 1);
    }
    return 0;
}
