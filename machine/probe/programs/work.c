#include "probe.h"

#include <stdio.h>
#include <string.h>

/* Passes over arrays side by side, and walks down the columns of a matrix, as loops of programs make them: of each element so many
   products and sums, which wait for one another; elements do not. */

#define STREAMS 3
#define UNROLLED 4 /* elements of a single array, so that sums do not wait for one another */

static inline double worked(double v, double x, double y, const int work) {
    for (int i = 0; i < work; i++)
        v = v * x + y;
    return v;
}

/* Adds the values of one step up, each for itself. */
#define SUM_UP                                                                                                       \
    s0 += v0;                                                                                                        \
    s1 += v1;                                                                                                        \
    s2 += v2;                                                                                                        \
    s3 += v3;                                                                                                        \
    OPAQUE(s0); OPAQUE(s1); OPAQUE(s2); OPAQUE(s3);

/* The elements of one step: of one array UNROLLED in sequence, of several one each. */
#define PASS(name, WORK, ARRAYS, STORE)                                                                              \
    static double name(double *a, const struct shape *shape) {                                                       \
        const size_t each = shape->each;                                                                             \
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
                SUM_UP                                                                                               \
            }                                                                                                        \
        }                                                                                                            \
        return s0 + s1 + s2 + s3;                                                                                    \
    }

/* Down the columns of a matrix with rows of stride elements, one element of each line, UNROLLED rows in one step. */
#define COLUMNS(name, WORK, STORE)                                                                                   \
    static double name(double *a, const struct shape *shape) {                                                       \
        const size_t rows = shape->each, stride = shape->stride;                                                     \
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0, x = 1, y = 0;                                                         \
        OPAQUE(x);                                                                                                   \
        OPAQUE(y);                                                                                                   \
        for (size_t c = 0; c < stride; c += LINE_BYTES / sizeof(double)) {                                           \
            double *p = a + c;                                                                                       \
            for (size_t i = 0; i + UNROLLED <= rows; i += UNROLLED, p += UNROLLED * stride) {                        \
                double v0 = worked(p[0], x, y, WORK), v1 = worked(p[stride], x, y, WORK);                            \
                double v2 = worked(p[2 * stride], x, y, WORK), v3 = worked(p[3 * stride], x, y, WORK);               \
                OPAQUE(v0); OPAQUE(v1); OPAQUE(v2); OPAQUE(v3);                                                      \
                if (STORE) {                                                                                         \
                    p[0] = v0;                                                                                       \
                    p[stride] = v1;                                                                                  \
                    p[2 * stride] = v2;                                                                              \
                    p[3 * stride] = v3;                                                                              \
                } else {                                                                                             \
                    SUM_UP                                                                                           \
                }                                                                                                    \
            }                                                                                                        \
        }                                                                                                            \
        return s0 + s1 + s2 + s3;                                                                                    \
    }

PASS(read_0_3, 0, STREAMS, 0)
PASS(read_2_1, 2, 1, 0)
PASS(read_2_3, 2, STREAMS, 0)
PASS(update_2_1, 2, 1, 1)
PASS(update_2_3, 2, STREAMS, 1)
COLUMNS(read_columns_2, 2, 0)
COLUMNS(read_columns_4, 4, 0)
COLUMNS(update_columns_2, 2, 1)

static const struct {
    const char *kind;
    int work, streams, columns;
    passes_fn pass;
} passes[] = {
    {"read", 0, STREAMS, 0, read_0_3}, {"read", 2, 1, 0, read_2_1}, {"read", 2, STREAMS, 0, read_2_3}, {"update", 2, 1, 0, update_2_1},
    {"update", 2, STREAMS, 0, update_2_3}, {"read", 2, 1, 1, read_columns_2}, {"read", 4, 1, 1, read_columns_4}, {"update", 2, 1, 1, update_columns_2},
};

/* work KIND WORK STREAMS STRIDE BYTES HUGE SAMPLES NS: ns an element, of arrays of so many bytes together; of a stride other than 1, of
   columns */
void work_command(char *arguments) {
    char kind[16];
    int work, streams, huge, samples;
    size_t stride, bytes;
    double ns;
    passes_fn pass = NULL;
    if (sscanf(arguments, "%15s %d %d %zu %zu %d %d %lf", kind, &work, &streams, &stride, &bytes, &huge, &samples, &ns) == 8)
        for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
            if (!strcmp(kind, passes[i].kind) && work == passes[i].work && streams == passes[i].streams && (stride > 1) == passes[i].columns)
                pass = passes[i].pass;
    if (!pass || samples < 1 || samples > MOST_SAMPLES || !stride) {
        refuse("work read|update WORK STREAMS STRIDE BYTES HUGE SAMPLES NS");
        return;
    }
    struct shape shape = {.each = bytes / sizeof(double) / streams / stride / UNROLLED * UNROLLED, .stride = stride}; /* elements of an array, or rows */
    size_t accesses = shape.each * streams * (stride > 1 ? (stride * sizeof(double) + LINE_BYTES - 1) / LINE_BYTES : 1);
    double *at = accesses ? (double *)buffer(bytes, huge) : NULL;
    if (at)
        time_passes(pass, at, &shape, accesses, samples, ns);
    else
        refuse("no memory for %zu bytes, or too few of them", bytes);
}
