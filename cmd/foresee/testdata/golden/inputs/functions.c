// SPDX-License-Identifier: Apache-2.0
//
// A serial program: its regions are functions. It follows indices and pointers, which no source tells.
#include <stdio.h>
#include <stdlib.h>

enum { size = 3000 };

struct cell {
    double value;
    struct cell *next;
};

static struct cell cells[size];
static int order[size];

static void shuffle(void)
{
    unsigned state = 1;
    for (int i = 0; i < size; i++)
        order[i] = i;
    for (int i = size - 1; i > 0; i--) {
        state = state * 1664525u + 1013904223u;
        int j = (int)(state >> 8) % (i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

static void link_cells(void)
{
    for (int i = 0; i < size; i++) {
        cells[order[i]].value = i;
        cells[order[i]].next = &cells[order[(i + 1) % size]];
    }
}

static double chase(int rounds)
{
    double sum = 0;
    const struct cell *c = &cells[0];
    for (int i = 0; i < rounds * size; i++, c = c->next)
        sum += c->value;
    return sum;
}

int main(void)
{
    shuffle();
    link_cells();
    double *heap = malloc(size * sizeof *heap);
    for (int i = 0; i < size; i++)
        heap[i] = cells[i].value;
    printf("%g %g\n", chase(3), heap[7]);
    free(heap);
    return 0;
}
