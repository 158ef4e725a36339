#include "probe.h"

#include <stdio.h>
#include <string.h>

#if defined __AVX512F__
#define VECTOR_BYTES 64
#elif defined __AVX__
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
typedef double vector __attribute__((vector_size(VECTOR_BYTES), aligned(8)));
const int vector_bytes = VECTOR_BYTES;

int kind_of(const char *name) {
    static const char *names[] = {"read", "update", "vector"};
    for (int i = 0; i < 3; i++)
        if (!strcmp(name, names[i]))
            return i;
    return -1;
}

#define LANES 8

/* The kernels of MultiMAPS: sums over every stride-th element, eight of them side by side. */
static double read_pass(const double *a, size_t n, size_t stride) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
    size_t i = 0;
    for (; i + 7 * stride < n; i += 8 * stride) {
        s0 += a[i];
        s1 += a[i + stride];
        s2 += a[i + 2 * stride];
        s3 += a[i + 3 * stride];
        s4 += a[i + 4 * stride];
        s5 += a[i + 5 * stride];
        s6 += a[i + 6 * stride];
        s7 += a[i + 7 * stride];
        OPAQUE(s0); OPAQUE(s1); OPAQUE(s2); OPAQUE(s3); OPAQUE(s4); OPAQUE(s5); OPAQUE(s6); OPAQUE(s7);
    }
    for (; i < n; i += stride)
        s0 += a[i];
    return s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;
}

static double update_pass(double *a, size_t n, size_t stride) {
    double one = 1;
    OPAQUE(one);
    size_t i = 0;
    for (; i + 3 * stride < n; i += 4 * stride) {
        double s0 = a[i] + one, s1 = a[i + stride] + one, s2 = a[i + 2 * stride] + one, s3 = a[i + 3 * stride] + one;
        OPAQUE(s0); OPAQUE(s1); OPAQUE(s2); OPAQUE(s3);
        a[i] = s0;
        a[i + stride] = s1;
        a[i + 2 * stride] = s2;
        a[i + 3 * stride] = s3;
    }
    for (; i < n; i += stride)
        a[i] += one;
    return a[0];
}

/* The stride is between the first elements of vectors, at least a vector. */
static double vector_pass(const double *a, size_t n, size_t stride) {
    const size_t width = VECTOR_BYTES / sizeof *a;
    vector s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    size_t i = 0;
    for (; i + 3 * stride + width <= n; i += 4 * stride) {
        s0 += *(const vector *)(a + i);
        s1 += *(const vector *)(a + i + stride);
        s2 += *(const vector *)(a + i + 2 * stride);
        s3 += *(const vector *)(a + i + 3 * stride);
        OPAQUE(s0); OPAQUE(s1); OPAQUE(s2); OPAQUE(s3);
    }
    for (; i + width <= n; i += stride)
        s0 += *(const vector *)(a + i);
    s0 += s1 + s2 + s3;
    return s0[0];
}

static size_t step_of(enum kind kind, size_t stride) {
    size_t width = VECTOR_BYTES / sizeof(double);
    return kind == VECTOR && stride < width ? width : stride;
}

/* Whole rows of a walk down columns: of so many accesses a column. */
static size_t rows_of(size_t bytes, size_t stride) {
    return bytes / sizeof(double) / stride;
}

size_t walk_accesses(enum kind kind, size_t bytes, size_t stride, int columns) {
    size_t n = bytes / sizeof(double), width = kind == VECTOR ? VECTOR_BYTES / sizeof(double) : 1, step = step_of(kind, stride);
    if (columns)
        return kind == VECTOR ? 0 : rows_of(bytes, stride) * ((stride * sizeof(double) + LINE_BYTES - 1) / LINE_BYTES);
    return n < width ? 0 : (n - width) / step + 1;
}

static double pass(enum kind kind, double *a, size_t n, size_t step) {
    switch (kind) {
    case READ:
        return read_pass(a, n, step);
    case UPDATE:
        return update_pass(a, n, step);
    case VECTOR:
        return vector_pass(a, n, step);
    }
    return 0;
}

double walk(enum kind kind, char *array, size_t bytes, size_t stride, int columns, uint64_t passes) {
    size_t n = bytes / sizeof(double), step = step_of(kind, stride);
    double *a = (double *)array, sum = 0, begin = now_ns();
    for (uint64_t i = 0; i < passes; i++) {
        if (columns)
            for (size_t c = 0; c < stride; c += LINE_BYTES / sizeof(double))
                sum += pass(kind, a + c, rows_of(bytes, stride) * stride - c, stride);
        else
            sum += pass(kind, a, n, step);
        __asm__ volatile("" ::: "memory");
    }
    double ns = now_ns() - begin;
    keep((uint64_t)sum);
    return ns;
}

static void command(const char *verb, char *arguments, int columns) {
    char name[16];
    size_t stride, bytes;
    int huge, samples, kind;
    double ns;
    if (sscanf(arguments, "%15s %zu %zu %d %d %lf", name, &stride, &bytes, &huge, &samples, &ns) != 6 || (kind = kind_of(name)) < 0 ||
        !stride || samples < 1 || samples > MOST_SAMPLES || !walk_accesses(kind, bytes, stride, columns)) {
        refuse("%s STRIDE BYTES HUGE SAMPLES NS", verb);
        return;
    }
    char *at = buffer(bytes, huge);
    if (!at) {
        refuse("no memory for %zu bytes", bytes);
        return;
    }
    double first = walk(kind, at, bytes, stride, columns, 1);
    if (first < ns)
        first = walk(kind, at, bytes, stride, columns, 1); /* warm now */
    uint64_t passes = 1;
    if (first > 0 && first < ns) {
        passes = ns / first + 1;
        if (first < 1000) { /* too short to go by */
            double some = walk(kind, at, bytes, stride, columns, 64) / 64;
            passes = some > 0 ? ns / some + 1 : 64;
        }
    }
    double accesses = (double)walk_accesses(kind, bytes, stride, columns) * passes;
    for (int i = 0; i < samples; i++) {
        if (burst_cold() && passes > 1)
            walk(kind, at, bytes, stride, columns, 1);
        burst_begin();
        walk(kind, at, bytes, stride, columns, passes);
        burst_end();
        burst_keep(i, accesses);
    }
    burst_answer(samples);
}

/* walk KIND STRIDE BYTES HUGE SAMPLES NS: ns an access, in samples of at least so many ns and one pass */
void walk_command(char *arguments) {
    command("walk read|update|vector", arguments, 0);
}

/* columns KIND STRIDE BYTES HUGE SAMPLES NS: the same of a walk down the columns of a matrix with rows of STRIDE elements, one access a line */
void columns_command(char *arguments) {
    command("columns read|update", arguments, 1);
}
