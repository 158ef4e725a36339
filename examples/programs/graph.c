// SPDX-License-Identifier: Apache-2.0
/* graph.c - breadth-first searches of a graph with edges at random. usage: graph [VERTICES] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 60000, edges = n * 8;
    int *first = calloc(n + 2, sizeof *first), *to = malloc(edges * sizeof *to), *from = malloc(edges * 2 * sizeof *from);
    unsigned seed = 17;
    for (long e = 0; e < edges; e++)
        for (int k = 0; k < 2; k++) {
            seed = seed * 1664525 + 1013904223;
            from[2 * e + k] = (seed >> 6) % n;
        }
    for (long e = 0; e < edges; e++)
        first[from[2 * e] + 2]++;
    for (long v = 0; v < n; v++)
        first[v + 2] += first[v + 1];
    for (long e = 0; e < edges; e++)
        to[first[from[2 * e] + 1]++] = from[2 * e + 1];
    int *depth = malloc(n * sizeof *depth), *queue = malloc(n * sizeof *queue);
    long sum = 0;
    for (int s = 0; s < 4; s++) {
        memset(depth, -1, n * sizeof *depth);
        long head = 0, tail = 0;
        queue[tail++] = s * 101;
        depth[s * 101] = 0;
        while (head < tail) {
            int v = queue[head++];
            for (int e = first[v]; e < first[v + 1]; e++)
                if (depth[to[e]] < 0) {
                    depth[to[e]] = depth[v] + 1;
                    queue[tail++] = to[e];
                }
        }
        sum += tail + depth[queue[tail - 1]];
    }
    printf("%ld\n", sum);
    return 0;
}
