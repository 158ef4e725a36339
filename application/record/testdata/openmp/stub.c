/* stub.c - a recorder that only checks and prints what the virtual OpenMP tells it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "foresee.h"

int fr_threads = 4, fr_cut, fr_rewritten;
static int cuts[64];
const int *fr_cuts = cuts;

static long quantum, left;
static uint64_t work[1024];
static int print_pieces, print_stacks, in_region, current;
static char text[1 << 16];
static size_t used;

static void flush_text(void) {
    size_t done = 0;
    while (done < used) {
        ssize_t n = write(2, text + done, used - done);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    used = 0;
}

/* printf to stderr that does not allocate. */
#define SAY(...)                                                                        \
    do {                                                                                \
        if (sizeof text - used < 1024)                                                  \
            flush_text();                                                               \
        used += (size_t)snprintf(text + used, sizeof text - used, __VA_ARGS__);         \
    } while (0)

static long number(const char *name, long otherwise) {
    const char *t = getenv(name);
    return t ? strtol(t, NULL, 10) : otherwise;
}

__attribute__((constructor(101))) static void begin(void) {
    fr_threads = (int)number("FORESEE_STUB_THREADS", 4);
    fr_rewritten = (int)number("FORESEE_STUB_REWRITTEN", 0);
    quantum = left = number("FORESEE_STUB_QUANTUM", 0);
    print_pieces = (int)number("FORESEE_STUB_PIECES", 0);
    print_stacks = (int)number("FORESEE_STUB_STACKS", 0);
    const char *list = getenv("FORESEE_STUB_CUT");
    char *rest = (char *)list;
    for (int n = 0; list && n < 63; n++) {
        cuts[n] = (int)strtol(rest, &rest, 10);
        if (*rest++ != ',')
            break;
    }
    fr_cut = list != NULL;
}

__attribute__((destructor)) static void finish(void) { flush_text(); }

/* Programs are built with a call of this in each block. */
void __sanitizer_cov_trace_pc(void) {
    work[current]++;
    if (quantum && --left <= 0) {
        left = quantum;
        fr_yield();
    }
}

void fr_region_enter(const void *pc, int threads) {
    (void)pc;
    if (in_region)
        fr_fail("stub: a region in a region");
    in_region = 1;
    memset(work, 0, sizeof work);
    if (print_pieces)
        SAY("region %d\n", threads);
}

void fr_region_leave(void) {
    if (!in_region)
        fr_fail("stub: left a region that was not entered");
    in_region = 0;
}

void fr_thread(int thread, const struct fr_piece *p) {
    current = thread;
    if ((p->kind == FR_SERIAL) != !in_region)
        fr_fail("stub: a piece of the wrong kind");
    if (!print_pieces)
        return;
    static const char *const kinds[] = {"serial", "each", "chunk", "one", "task", "uncut"};
    if (p->kind == FR_CHUNK)
        SAY("chunk %d %d %lu %lu %lu %lu %lu\n", thread, p->schedule, p->first, p->end, p->total, p->chunk, p->loop);
    else
        SAY("%s %d\n", kinds[p->kind], thread);
}

uint64_t fr_work(int thread) { return work[thread]; }

void fr_barrier(void) {
    if (print_pieces)
        SAY("barrier\n");
}

void fr_stack(int thread, const void *low, size_t bytes) {
    if (print_stacks)
        SAY("stack %d %lx %lx\n", thread, (unsigned long)low, (unsigned long)bytes);
}

void fr_tls(const void *low, size_t bytes) {
    if (print_stacks)
        SAY("tls %lx %lx\n", (unsigned long)low, (unsigned long)bytes);
}

void fr_locals(const void *low, size_t bytes) {
    if (print_stacks)
        SAY("locals %lx %lx\n", (unsigned long)low, (unsigned long)bytes);
}

void fr_private(int thread, const void *low, size_t bytes) {
    if (print_stacks)
        SAY("private %d %lx %lx\n", thread, (unsigned long)low, (unsigned long)bytes);
}

void fr_note(int note, const void *pc) {
    (void)pc;
    if (print_pieces)
        SAY("note %d\n", note);
}

_Noreturn void fr_fail(const char *message) {
    SAY("fail: %s\n", message);
    flush_text();
    _exit(7);
}

uint64_t fr_noted(void) {
    uint64_t all = 0;
    for (int i = 0; i < 1024; i++)
        all += work[i];
    return all;
}
