// SPDX-License-Identifier: Apache-2.0
/* events.c - customers at desks, simulated by events in a binary heap. usage: events [EVENTS] */
#include <stdio.h>
#include <stdlib.h>

struct event {
    double at;
    int desk, arrives;
};

static struct event *heap;
static long events;

static void add(struct event e)
{
    long i = events++;
    while (i > 0 && heap[(i - 1) / 2].at > e.at) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = e;
}

static struct event take(void)
{
    struct event first = heap[0], last = heap[--events];
    long i = 0;
    for (long child; (child = 2 * i + 1) < events; i = child) {
        if (child + 1 < events && heap[child + 1].at < heap[child].at)
            child++;
        if (last.at <= heap[child].at)
            break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return first;
}

static unsigned long long seed = 42;

static double chance(void)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (seed >> 11) / 9007199254740992.0;
}

int main(int argc, char **argv)
{
    enum { DESKS = 4096 };
    long most = argc > 1 ? atol(argv[1]) : 150000, served = 0, longest = 0;
    static int waiting[DESKS];
    heap = malloc((2 * DESKS + 16) * sizeof *heap);
    for (int d = 0; d < DESKS; d++)
        add((struct event){chance(), d, 1});
    double now = 0;
    for (long n = 0; n < most; n++) {
        struct event e = take();
        now = e.at;
        if (e.arrives) {
            if (waiting[e.desk]++ == 0)
                add((struct event){now + 0.7 * chance(), e.desk, 0});
            add((struct event){now + 0.2 + chance(), chance() < 0.9 ? e.desk : (int)(DESKS * chance()), 1});
        } else {
            served++;
            if (--waiting[e.desk] > 0)
                add((struct event){now + 0.7 * chance(), e.desk, 0});
        }
        if (waiting[e.desk] > longest)
            longest = waiting[e.desk];
    }
    printf("%ld served, %ld at most at a desk, until %.6f\n", served, longest, now);
    free(heap);
    return 0;
}
