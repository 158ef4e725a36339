/* gomp.c - the entry points of libgomp, for programs built by gcc: regions and synchronisation.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is not here is not supported, and the linker says so. */
#include <string.h>

#include "gomp.h"

#define UNUSED __attribute__((unused))

static void body(struct team *team) { ((void (*)(void *))team->function)(team->data); }

/* What is changed in the data is put back. */
void gomp_parallel(void (*function)(void *), void *data, unsigned threads, const struct loop *loop, const void *pc) {
    struct team team = {.body = body, .function = (void *)function, .data = data, .loop = loop};
    void *before[VO_HANDED];
    int words = vo_may_fork() ? vo_tls_words(data) : 0;
    void *image = vo_tls_freeze(data, words, before);
    vo_parallel(&team, (int)threads, pc);
    if (image)
        vo_tls_thaw(image, data, words, before);
}

void GOMP_parallel(void (*function)(void *), void *data, unsigned threads, UNUSED unsigned flags) {
    gomp_parallel(function, data, threads, NULL, VO_CALLER);
}

void GOMP_barrier(void) { vo_barrier(); }

static int32_t atomic_lock, critical_lock;

void GOMP_critical_start(void) {
    fr_note(FR_NOTE_EXCLUSION, __builtin_return_address(0));
    vo_lock(&critical_lock, "for a critical section");
}
void GOMP_critical_end(void) { vo_unlock(&critical_lock); }
void GOMP_critical_name_start(int32_t *lock) { vo_lock(lock, "for a critical section"); }
void GOMP_critical_name_end(int32_t *lock) { vo_unlock(lock); }
void GOMP_atomic_start(void) { vo_lock(&atomic_lock, "for an atomic operation"); }
void GOMP_atomic_end(void) { vo_unlock(&atomic_lock); }

bool GOMP_single_start(void) {
    if (!vo_single())
        return false;
    vo_one_begin(true);
    return true;
}

/* A barrier of the program follows the copy. */
void *GOMP_single_copy_start(void) {
    if (GOMP_single_start())
        return NULL;
    vo_barrier();
    return vo_at()->team->copied;
}

void GOMP_single_copy_end(void *data) {
    struct team *team = vo_at()->team;
    void *words[VO_HANDED];
    int n = team->threads > 1 ? vo_tls_words(data) : 0;
    memcpy(words, data, (size_t)n * sizeof *words);
    void *image = vo_tls_freeze(words, n, NULL);
    team->copied = data;
    if (image) { /* until the next one: nobody says when all have copied */
        vo_team_forget_copied(team);
        team->copied_words = vo_alloc(sizeof words);
        team->copied_image = image;
        team->copied = memcpy(team->copied_words, words, sizeof words);
    }
    vo_barrier();
}
