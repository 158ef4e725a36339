/* threads.c - the counts of each thread.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "recorder.h"

enum { FIRST_ROOM = 8 }; /* log2 of entries */

__thread struct thread *current_thread;
_Atomic(struct thread *) all_threads;
atomic_bool recording;
atomic_bool lossy;

static pthread_key_t ending;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A thread that ends leaves its counts to the next one that begins. */
static void thread_end(void *thread) {
    current_thread = 0;
    atomic_store(&((struct thread *)thread)->busy, 0);
}

static void make_key(void) { pthread_key_create(&ending, thread_end); }

static struct table *table_new(unsigned room) {
    struct table *table = calloc(1, sizeof *table + (sizeof(struct entry) << room));
    if (table)
        table->shift = 64 - room;
    return table;
}

static struct thread *thread_left(void) {
    for (struct thread *t = atomic_load(&all_threads); t; t = t->next) {
        int idle = 0;
        if (atomic_compare_exchange_strong(&t->busy, &idle, 1))
            return t;
    }
    return 0;
}

static struct thread *thread_new(void) {
    struct thread *t = calloc(1, sizeof *t);
    struct table *table = table_new(FIRST_ROOM);
    if (!t || !table) {
        free(t);
        free(table);
        return 0;
    }
    atomic_store(&t->table, table);
    atomic_store(&t->busy, 1);
    t->next = atomic_load(&all_threads);
    while (!atomic_compare_exchange_weak(&all_threads, &t->next, t))
        ;
    return t;
}

struct thread *thread_begin(void) {
    pthread_once(&once, make_key);
    struct thread *t = thread_left();
    if (!t)
        t = thread_new();
    if (!t) {
        atomic_store(&lossy, true);
        return 0;
    }
    pthread_setspecific(ending, t);
    return current_thread = t;
}

static struct entry *place(struct table *table, uint64_t key) {
    uint64_t mask = ((uint64_t)1 << (64 - table->shift)) - 1;
    uint64_t i = key * 0x9e3779b97f4a7c15u >> table->shift;
    while (table->entries[i].key && table->entries[i].key != key)
        i = (i + 1) & mask;
    return &table->entries[i];
}

/* grow doubles a table. The old one is not freed: a signal may have come while file_write was reading it. */
static struct table *grow(struct thread *t, struct table *old) {
    struct table *table = table_new(64 - old->shift + 1);
    if (!table)
        return 0;
    for (uint64_t i = 0; i < (uint64_t)1 << (64 - old->shift); i++)
        if (old->entries[i].key)
            *place(table, old->entries[i].key) = old->entries[i];
    table->used = old->used;
    atomic_store_explicit(&t->table, table, memory_order_release);
    return table;
}

/* entry_add finds an entry that is not where it is looked for first, or makes it. */
struct entry *entry_add(struct thread *t, uint64_t key) {
    struct table *table = atomic_load(&t->table);
    struct entry *e = place(table, key);
    if (e->key)
        return e;
    uint64_t room = (uint64_t)1 << (64 - table->shift);
    if (table->used + 1 > room / 4 * 3) {
        struct table *larger = grow(t, table);
        if (!larger) {
            static struct entry nowhere;
            atomic_store(&lossy, true);
            return &nowhere;
        }
        table = larger;
        e = place(table, key);
    }
    table->used++;
    e->shortest = UINT64_MAX;
    atomic_store_explicit(&e->key, key, memory_order_release);
    return e;
}
