#include "probe.h"

#include <stdio.h>
#include <string.h>

/* Passes over arrays side by side, as loops of programs make them: of each element so many products and sums, which wait for one another;
   elements do not. */

#define STREAMS 3
#define UNROLLED 4 /* elements of a single array, so that sums do not wait for one another */

static inline double worked(double v, double x, double y, const int work) {
    for (int i = 0; i < work; i++)
        v = v * x + y;
    return v;
}

/* The elements of one step: of one array UNROLLED in sequence, of several one each. */
#define PASS(name, WORK, ARRAYS, STORE)                                                                              \
    static double name(double *a, size_t each) {                                                                     \
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0, x = 1, y = 0;                                                         \
        OPAQUE(x);                                                                                                   \
        OPAQUE(y);                                                                                                   \
        const size_t gap = ARRAYS == 1 ? 1 : each, step = ARRAYS == 1 ? UNROLLED : 1;                                \
        for (size_t i = 0; i + step <= each; i += step) {                                                            \
            double v0 = worked(a[i], x, y, WORK), v1 = worked(a[i + gap], x, y, WORK);                               \
            double v2 = worked(a[i + 2 * gap], x, y, WORK), v3 = 0;                                                  \
            if (ARRAYS == 1)                                                                                         \
                v3 = worked(a[i + 3], x, y, WORK);                                                                   \
            OPAQUE(v0); OPAQUE(v1); OPAQUE(v2);                                                                      \
            if (STORE) {                                                                                             \
                a[i] = v0;                                                                                           \
                a[i + gap] = v1;                                                                                     \
                a[i + 2 * gap] = v2;                                                                                 \
                if (ARRAYS == 1)                                                                                     \
                    a[i + 3] = v3;                                                                                   \
            } else {                                                                                                 \
                s0 += v0;                                                                                            \
                s1 += v1;                                                                                            \
                s2 += v2;                                                                                            \
                s3 += v3;                                                                                            \
                OPAQUE(s0); OPAQUE(s1); OPAQUE(s2); OPAQUE(s3);                                                      \
            }                                                                                                        \
        }                                                                                                            \
        return s0 + s1 + s2 + s3;                                                                                    \
    }

PASS(read_0_3, 0, STREAMS, 0)
PASS(read_2_1, 2, 1, 0)
PASS(read_2_3, 2, STREAMS, 0)
PASS(update_2_1, 2, 1, 1)
PASS(update_2_3, 2, STREAMS, 1)

static const struct {
    const char *kind;
    int work, streams;
    double (*pass)(double *a, size_t each);
} passes[] = {
    {"read", 0, STREAMS, read_0_3}, {"read", 2, 1, read_2_1}, {"read", 2, STREAMS, read_2_3}, {"update", 2, 1, update_2_1},
    {"update", 2, STREAMS, update_2_3},
};

/* work KIND WORK STREAMS BYTES HUGE SAMPLES NS: ns an element, of arrays of so many bytes together */
void work_command(char *arguments) {
    char kind[16];
    int work, streams, huge, samples;
    size_t bytes;
    double ns, out[MOST_SAMPLES];
    double (*pass)(double *, size_t) = NULL;
    if (sscanf(arguments, "%15s %d %d %zu %d %d %lf", kind, &work, &streams, &bytes, &huge, &samples, &ns) == 7)
        for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
            if (!strcmp(kind, passes[i].kind) && work == passes[i].work && streams == passes[i].streams)
                pass = passes[i].pass;
    size_t each = bytes / sizeof(double) / (streams > 0 ? streams : 1) / UNROLLED * UNROLLED;
    if (!pass || samples < 1 || samples > MOST_SAMPLES || !each) {
        refuse("work read|update WORK STREAMS BYTES HUGE SAMPLES NS");
        return;
    }
    double *at = (double *)buffer(bytes, huge), sum = 0;
    if (!at) {
        refuse("no memory for %zu bytes", bytes);
        return;
    }
    size_t times = 1;
    for (int i = -2; i < samples; i++) { /* two to warm up and to know how long it takes */
        double begin = now_ns();
        for (size_t t = 0; t < times; t++) {
            sum += pass(at, each);
            __asm__ volatile("" ::: "memory");
        }
        double took = now_ns() - begin;
        if (i >= 0)
            out[i] = took / ((double)each * streams * times);
        else if (took >= ns)
            i = -1; /* warm */
        else
            times = i == -2 ? 16 : ns * times / (took > 1 ? took : 1) + 1;
    }
    keep((uint64_t)sum);
    answer(out, samples);
}
