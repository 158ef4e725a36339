/* cut.c - one loop of a kind and size after the other: kind, chunk, then the sizes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    int code = atoi(argv[2]) * 8 + atoi(argv[1]);
    long sum = 0;
    for (int k = 3; k < argc; k++) {
        int n = atoi(argv[k]);
#pragma omp parallel for schedule(monotonic : guided, code) reduction(+ : sum)
        for (int i = 0; i < n; i++)
            sum += i;
#pragma omp parallel reduction(+ : sum)
        {
#pragma omp for schedule(monotonic : guided, code)
            for (unsigned long long i = 10; i < 10 + 2 * (unsigned long long)n; i += 2)
                sum += (long)i;
#pragma omp for schedule(monotonic : guided, code) ordered
            for (long i = n; i > 0; i--)
#pragma omp ordered
                sum += i;
        }
    }
    printf("%ld\n", sum);
    return 0;
}
