// SPDX-License-Identifier: Apache-2.0
//
// The four loops of a memory bandwidth test: copy c = a, scale b = s c, add c = a + b, triad a = b + s c,
// repeated. All threads run the repetitions in one parallel region; the four loops are parallel, each dealt to
// the same threads, and each element depends on its own place only, so no barrier is needed.
#include "harness.h"

#ifndef TSTEPS
#define TSTEPS SIZE(10, 10, 10, 10, 10)
#endif
#ifndef N
#define N SIZE(1000, 100000, 1000000, 4000000, 10000000)
#endif

static double a[N];
static double b[N];
static double c[N];

static void init(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = 1.0 + (double)(i % 7) / 7;
        b[i] = 2.0;
        c[i] = 0.0;
    }
}

static void kernel_stream_triad(double s)
{
    int t, i;
#pragma scop
#pragma omp parallel private(t, i)
    for (t = 0; t < TSTEPS; t++) {
#pragma omp for schedule(static) nowait
        for (i = 0; i < N; i++)
            c[i] = a[i];
#pragma omp for schedule(static) nowait
        for (i = 0; i < N; i++)
            b[i] = s * c[i];
#pragma omp for schedule(static) nowait
        for (i = 0; i < N; i++)
            c[i] = a[i] + b[i];
#pragma omp for schedule(static) nowait
        for (i = 0; i < N; i++)
            a[i] = b[i] + s * c[i];
    }
#pragma endscop
}

int main(void)
{
    for (int run = 0; run < REPEAT; run++) {
        init();
        harness_start();
        kernel_stream_triad(0.4);
        harness_stop();
    }
    harness_report(checksum(a, N));
    return 0;
}
