/* worksharing.c - loops, sections, single, reductions: the output is the same with each OpenMP runtime.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };
static int who[10][N];
static double a[N], b[N];

static double sum_of(const double *x, int n) { return n == 0 ? 0 : x[n - 1] + sum_of(x, n - 1); }

static void static_maps(int n, int chunk) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        who[0][i] = omp_get_thread_num() + 1;
#pragma omp parallel for schedule(static, 7)
    for (int i = 0; i < n; i++)
        who[1][i] = omp_get_thread_num() + 1;
#pragma omp parallel for schedule(static)
    for (long i = n - 1; i >= 3; i -= 3)
        who[2][i] = omp_get_thread_num() + 1;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 25; i++)
        for (int j = 0; j < 40; j++)
            who[3][i * 40 + j] = omp_get_thread_num() + 1;
#pragma omp parallel for schedule(static, chunk)
    for (unsigned i = 5; i < (unsigned)n; i += 2)
        who[4][i] = omp_get_thread_num() + 1;
#pragma omp parallel for schedule(static)
    for (unsigned long long i = (unsigned long long)n; i > 10; i -= 4)
        who[5][i - 1] = omp_get_thread_num() + 1;
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 3; i++)
            who[6][i] = omp_get_thread_num() + 1;
#pragma omp for schedule(static) nowait
        for (int i = -5; i < 5; i++)
            who[7][i + 5] = omp_get_thread_num() + 1;
#pragma omp for schedule(static, 1000)
        for (int i = 10; i > 0; i--)
            who[8][i] = omp_get_thread_num() + 1;
    }
    for (int k = 0; k < 9; k++) {
        unsigned h = 0;
        for (int i = 0; i < N; i++)
            h = h * 31 + (unsigned)who[k][i];
        printf("static map %d: %u\n", k, h);
    }
}

static void shared_loops(int n) {
    double s = 0;
    long isum = 0;
    int most = 0, lp = -1, lp2 = -1;
#pragma omp parallel for schedule(dynamic, 5) lastprivate(lp) reduction(+ : s, isum) reduction(max : most)
    for (int i = 0; i < n; i++) {
        s += a[i] * 2;
        isum += i;
        lp = i * 3;
        most = i % 71 > most ? i % 71 : most;
    }
    printf("dynamic %.1f %ld %d %d\n", s, isum, most, lp);
    s = 0;
#pragma omp parallel for schedule(guided, 3) reduction(+ : s) lastprivate(lp2)
    for (unsigned i = 0; i < (unsigned)n; i++) {
        s += sum_of(a, (int)(i % 20));
        lp2 = (int)i;
    }
    printf("guided %.1f %d\n", s, lp2);
    s = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : s)
    for (long long i = n; i > -n; i -= 7)
        s += (double)i;
#pragma omp parallel for schedule(auto) reduction(+ : s)
    for (short i = 0; i < 300; i++)
        s += i;
    printf("runtime, auto %.1f\n", s);
    unsigned long long u = 0;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : u)
    for (unsigned long long i = ~0ull - 100; i < ~0ull - 1; i += 3)
        u += i;
#pragma omp parallel for schedule(guided) reduction(+ : u)
    for (unsigned long long i = ~0ull - 1; i > ~0ull - 100; i -= 5)
        u += i * 3;
#pragma omp parallel for schedule(runtime) reduction(+ : u)
    for (unsigned long long i = 1; i < 1000; i += 3)
        u += i;
#pragma omp parallel for schedule(monotonic : dynamic, 2) reduction(^ : u)
    for (unsigned char i = 0; i < 250; i++)
        u ^= (unsigned long long)i << (i % 50);
#pragma omp parallel for schedule(nonmonotonic : guided, 2) reduction(+ : u)
    for (unsigned long i = 0; i < 250; i++)
        u += i;
    printf("unsigned %llu\n", u);
    int empty = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : empty)
    for (int i = n; i < n; i++)
        empty++;
#pragma omp parallel for reduction(+ : empty)
    for (int i = n + 5; i < n; i++)
        empty++;
#pragma omp parallel for schedule(guided) collapse(3) reduction(+ : empty)
    for (int i = 0; i < 5; i++)
        for (int j = 3; j > 0; j--)
            for (int k = 0; k < 7; k += 2)
                empty += i * j + k;
    printf("empty, collapse %d\n", empty);
}

static void all_in_one(int n, int threads) {
    double s = 0;
    int count = 0, critical = 0, named = 0, done = 0, masters = 0, section = 0, bad = 0;
#pragma omp parallel num_threads(threads) reduction(+ : s, bad)
    {
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            b[i] = a[i] + 1;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < n; i++)
            s += a[i];
#pragma omp critical
        critical += omp_get_thread_num();
#pragma omp critical(named)
        named += 1;
#pragma omp atomic
        count++;
#pragma omp single
        done++;
#pragma omp master
        masters++;
#pragma omp barrier
        bad += count != omp_get_num_threads();
        int private_one;
        long list[4];
#pragma omp single copyprivate(private_one, list)
        {
            private_one = 42;
            list[3] = 43;
        }
        bad += private_one != 42 || list[3] != 43;
#pragma omp single nowait
        done += 5;
#pragma omp sections reduction(+ : section)
        {
#pragma omp section
            section += 10;
#pragma omp section
            section += 100;
#pragma omp section
            section += 1000;
        }
#pragma omp sections nowait
        {
#pragma omp section
#pragma omp atomic
            done += 10;
#pragma omp section
#pragma omp atomic
            done += 100;
        }
        for (int k = 0; k < 200; k++) {
#pragma omp for schedule(dynamic, 2) nowait
            for (int i = 0; i < 5; i++)
#pragma omp atomic
                count++;
        }
    }
    printf("region %.1f count %d critical %d %d done %d masters %d sections %d b %.1f bad %d\n", s, count, critical, named, done,
           masters, section, b[77], bad);
    int p = 0;
#pragma omp parallel sections lastprivate(p) reduction(+ : section)
    {
#pragma omp section
        section++;
#pragma omp section
        {
            section += 2;
            p = 9;
        }
    }
    printf("parallel sections %d %d\n", section, p);
}

static int ordered_loop(int kind) {
    int out[100], n = 0, wrong = 0;
    switch (kind) {
    case 0:
#pragma omp parallel for ordered schedule(dynamic, 3)
        for (int i = 0; i < 100; i++)
#pragma omp ordered
            out[n++] = i;
        break;
    case 1:
#pragma omp parallel for ordered schedule(static)
        for (int i = 0; i < 100; i++)
#pragma omp ordered
            out[n++] = i;
        break;
    case 2:
#pragma omp parallel for ordered schedule(static, 4)
        for (long i = 0; i < 100; i++)
            if (i % 3 >= 0)
#pragma omp ordered
                out[n++] = (int)i;
        break;
    case 3:
#pragma omp parallel for ordered schedule(guided, 2)
        for (unsigned i = 0; i < 100; i++)
#pragma omp ordered
            out[n++] = (int)i;
        break;
    default:
#pragma omp parallel for ordered schedule(runtime)
        for (unsigned long long i = 0; i < 100; i++)
#pragma omp ordered
            out[n++] = (int)i;
    }
    for (int i = 0; i < n; i++)
        wrong += out[i] != i;
    return wrong * 1000 + n;
}

static void jacobi(void) {
    enum { M = 66 };
    double(*u)[M] = calloc(M, sizeof *u), (*w)[M] = calloc(M, sizeof *w), error = 0, sum = 0;
    for (int i = 0; i < M; i++)
        u[0][i] = w[0][i] = i;
#pragma omp parallel
    for (int t = 0; t < 20; t++) {
#pragma omp for
        for (int i = 1; i < M - 1; i++)
            for (int j = 1; j < M - 1; j++)
                w[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
#pragma omp single
        error = 0;
#pragma omp for reduction(max : error)
        for (int i = 1; i < M - 1; i++)
            for (int j = 1; j < M - 1; j++) {
                error = fmax(error, fabs(w[i][j] - u[i][j]));
                u[i][j] = w[i][j];
            }
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            sum += u[i][j] * (i + j);
    printf("jacobi %.12f %.9f\n", error, sum);
    free(u);
    free(w);
}

int main(int argc, char **argv) {
    (void)argv;
    for (int i = 0; i < N; i++)
        a[i] = i % 13;
    static_maps(N, 6 + argc);
    shared_loops(N);
    all_in_one(N, 6);
    for (int k = 0; k < 5; k++)
        printf("ordered %d\n", ordered_loop(k));
    jacobi();
    int sum[5] = {0};
#pragma omp parallel for reduction(+ : sum[:5])
    for (int i = 0; i < N; i++)
        sum[i % 5] += i;
    printf("array reduction %d %d\n", sum[0], sum[4]);
    return 0;
}
