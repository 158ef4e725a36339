// SPDX-License-Identifier: Apache-2.0
/* sort.c - quicksort of keys at random, then a search of each: branches that no predictor knows.
 * usage: sort [KEYS] */
#include <stdio.h>
#include <stdlib.h>

static void quicksort(unsigned *a, long low, long high)
{
    while (high - low > 16) {
        unsigned pivot = a[(low + high) / 2];
        long i = low - 1, j = high + 1;
        for (;;) {
            do i++; while (a[i] < pivot);
            do j--; while (a[j] > pivot);
            if (i >= j)
                break;
            unsigned t = a[i];
            a[i] = a[j];
            a[j] = t;
        }
        quicksort(a, low, j);
        low = j + 1;
    }
    for (long i = low + 1; i <= high; i++) {
        unsigned key = a[i];
        long j = i - 1;
        for (; j >= low && a[j] > key; j--)
            a[j + 1] = a[j];
        a[j + 1] = key;
    }
}

static long search(const unsigned *a, long n, unsigned key)
{
    long low = 0, high = n;
    while (low < high) {
        long middle = (low + high) / 2;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 200000;
    unsigned *a = malloc(n * sizeof *a), seed = 12345;
    for (long i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        a[i] = seed >> 4;
    }
    quicksort(a, 0, n - 1);
    unsigned long sum = 0;
    for (long i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        sum += search(a, n, seed >> 4);
    }
    printf("%u %u %lu\n", a[0], a[n - 1], sum);
    free(a);
    return 0;
}
