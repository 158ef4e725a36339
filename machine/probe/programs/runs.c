#include "probe.h"

#include <stdio.h>
#include <string.h>

/* Passes over a matrix in tiles, as blocked loops make them: of each row of a tile a run of lines, then those of the next row. */

#define UNROLLED 4

#define TILES(name, ...)                                                                        \
    static double name(double *a, const struct shape *shape) {                                 \
        double s0 = 0, s1 = 0, s2 = 0, s3 = 0, one = 1;                                        \
        OPAQUE(one);                                                                           \
        for (size_t top = 0; top < shape->each; top += shape->rows)                            \
            for (size_t left = 0; left + shape->run <= shape->stride; left += shape->run)      \
                for (size_t row = top; row < top + shape->rows && row < shape->each; row++) {    \
                    double *p = a + row * shape->stride + left;                                \
                    for (size_t j = 0; j < shape->run; j += UNROLLED)                          \
                        __VA_ARGS__                                                            \
                }                                                                              \
        return s0 + s1 + s2 + s3 + one;                                                        \
    }

TILES(read_tiles, {
    s0 += p[j];
    s1 += p[j + 1];
    s2 += p[j + 2];
    s3 += p[j + 3];
    OPAQUE(s0); OPAQUE(s1); OPAQUE(s2); OPAQUE(s3);
})
TILES(update_tiles, {
    double v0 = p[j] + one, v1 = p[j + 1] + one, v2 = p[j + 2] + one, v3 = p[j + 3] + one;
    OPAQUE(v0); OPAQUE(v1); OPAQUE(v2); OPAQUE(v3);
    p[j] = v0;
    p[j + 1] = v1;
    p[j + 2] = v2;
    p[j + 3] = v3;
})

/* runs KIND LINES ROWS STRIDE BYTES HUGE SAMPLES NS: ns an element, of a matrix with rows of STRIDE elements in tiles so many lines wide
   and so many rows high */
void runs_command(char *arguments) {
    char kind[16];
    int huge, samples;
    size_t lines, rows, stride, bytes;
    double ns;
    if (sscanf(arguments, "%15s %zu %zu %zu %zu %d %d %lf", kind, &lines, &rows, &stride, &bytes, &huge, &samples, &ns) != 8 ||
        (strcmp(kind, "read") && strcmp(kind, "update")) || !lines || !rows || lines * LINE_BYTES > stride * sizeof(double) || samples < 1 || samples > MOST_SAMPLES) {
        refuse("runs read|update LINES ROWS STRIDE BYTES HUGE SAMPLES NS");
        return;
    }
    struct shape shape = {.each = bytes / sizeof(double) / stride, .stride = stride, .rows = rows, .run = lines * LINE_BYTES / sizeof(double)};
    double *at = shape.each ? (double *)buffer(bytes, huge) : NULL;
    if (at)
        time_passes(strcmp(kind, "read") ? update_tiles : read_tiles, at, &shape, (double)shape.each * (stride / shape.run * shape.run), samples, ns);
    else
        refuse("no memory for %zu bytes, or no row of them", bytes);
}
