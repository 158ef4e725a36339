// SPDX-License-Identifier: Apache-2.0
/* chase.c - a list whose nodes lie at random, walked several times. usage: chase [NODES] */
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    long value[7];
};

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 60000;
    struct node *nodes = malloc(n * sizeof *nodes);
    long *order = malloc(n * sizeof *order);
    unsigned seed = 1;
    for (long i = 0; i < n; i++)
        order[i] = i;
    for (long i = n - 1; i > 0; i--) {
        seed = seed * 1664525 + 1013904223;
        long j = (seed >> 4) % (i + 1), t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
    for (long i = 0; i < n; i++) {
        nodes[order[i]].next = &nodes[order[(i + 1) % n]];
        nodes[order[i]].value[0] = i;
    }
    long sum = 0;
    struct node *p = nodes;
    for (long i = 0; i < 20 * n; i++) {
        sum += p->value[0];
        p = p->next;
    }
    printf("%ld\n", sum);
    free(nodes);
    free(order);
    return 0;
}
