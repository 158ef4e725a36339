#define _GNU_SOURCE
#include "probe.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MOST_THREADS 1024

static pthread_barrier_t start;

struct member {
    pthread_t thread;
    int cpu, kind, pinned;
    size_t stride, bytes;
    double ns, accesses, begin, end;
    char *at;
};

static void *work(void *argument) {
    struct member *m = argument;
    m->pinned = m->cpu < 0 || pin(m->cpu) == 0;
    m->at = mmap(NULL, m->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (m->at == MAP_FAILED)
        m->at = NULL;
    else
        memset(m->at, 1, m->bytes); /* by the thread that uses it: near it */
    pthread_barrier_wait(&start);
    if (m->at)
        walk(m->kind, m->at, m->bytes, m->stride, 0, 1);
    pthread_barrier_wait(&start);
    double each = walk_accesses(m->kind, m->bytes, m->stride, 0);
    m->begin = now_ns();
    do {
        if (m->at)
            walk(m->kind, m->at, m->bytes, m->stride, 0, 1);
        m->accesses += each;
        m->end = now_ns();
    } while (m->at && m->end - m->begin < m->ns);
    pthread_barrier_wait(&start);
    if (m->at)
        munmap(m->at, m->bytes);
    return NULL;
}

/* team KIND STRIDE BYTES NS CPU ...: accesses a ns of each thread, all at once, each over an array of its own; CPU -1: anywhere */
void team_command(char *arguments) {
    char name[16];
    size_t stride, bytes;
    double ns;
    int read, kind, n = 0;
    static struct member members[MOST_THREADS];
    if (sscanf(arguments, "%15s %zu %zu %lf%n", name, &stride, &bytes, &ns, &read) != 4 || (kind = kind_of(name)) < 0 || !stride ||
        !walk_accesses(kind, bytes, stride, 0)) {
        refuse("team read|update|vector STRIDE BYTES NS CPU ...");
        return;
    }
    for (int cpu, more; n < MOST_THREADS && sscanf(arguments + read, "%d%n", &cpu, &more) == 1; read += more)
        members[n++] = (struct member){.cpu = cpu, .kind = kind, .stride = stride, .bytes = bytes, .ns = ns};
    if (!n) {
        refuse("team: no CPU");
        return;
    }
    pthread_barrier_init(&start, NULL, n);
    int started = 0;
    while (started < n && !pthread_create(&members[started].thread, NULL, work, &members[started]))
        started++;
    if (started < n) {
        refuse("only %d of %d threads", started, n);
        fflush(stdout);
        exit(1); /* the others wait for ever */
    }
    int failed = 0;
    double out[MOST_THREADS];
    for (int i = 0; i < n; i++) {
        pthread_join(members[i].thread, NULL);
        failed |= !members[i].at;
        out[i] = members[i].accesses / (members[i].end - members[i].begin);
    }
    pthread_barrier_destroy(&start);
    if (failed)
        refuse("no memory for %d times %zu bytes", n, bytes);
    else
        answer(out, n);
}
