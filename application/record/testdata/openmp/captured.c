/* captured.c - regions that capture many variables.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#define TEN(m, p) m(p##0) m(p##1) m(p##2) m(p##3) m(p##4) m(p##5) m(p##6) m(p##7) m(p##8) m(p##9)
#define DECLARE(v) long v = __COUNTER__;
#define ADD(v) _Pragma("omp atomic") v += 1;
#define SUM(v) sum += v;
#define ALL(m) TEN(m, a) TEN(m, b) TEN(m, c) TEN(m, d) TEN(m, e) TEN(m, f) TEN(m, g) TEN(m, h) TEN(m, i) TEN(m, j) TEN(m, k) TEN(m, l) \
    TEN(m, n) TEN(m, o) TEN(m, p) TEN(m, q) TEN(m, r) TEN(m, s) TEN(m, t) TEN(m, u) TEN(m, w) TEN(m, x) TEN(m, y) TEN(m, z)
#define SOME(m) TEN(m, a) TEN(m, b) TEN(m, c)

int main(void) {
    long sum = 0;
    ALL(DECLARE)
#pragma omp parallel
    { ALL(ADD) }
#pragma omp parallel
    { SOME(ADD) }
#pragma omp parallel
    { TEN(ADD, a) }
#pragma omp parallel
    { ADD(z9) }
    ALL(SUM)
    printf("captured %ld\n", sum);
    return 0;
}
