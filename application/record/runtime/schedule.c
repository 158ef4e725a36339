/* schedule.c - how loops are dealt: the formulas of libgomp, and where to cut a loop for many thread counts at once.
 * model/schedule says in Go what they are; tests compare.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "team.h"

/* Balanced contiguous blocks; the first total mod threads threads get one iteration more. */
void vo_static_block(uint64_t total, uint64_t threads, uint64_t thread, uint64_t *first, uint64_t *end) {
    uint64_t each = total / threads, more = total % threads;
    *first = each * thread + (thread < more ? thread : more);
    *end = *first + each + (thread < more);
}

uint64_t vo_guided(uint64_t left, uint64_t threads, uint64_t chunk) {
    uint64_t n = left / threads + (left % threads != 0);
    if (n < chunk)
        n = chunk;
    return n < left ? n : left;
}

/* The end of the block that holds iteration at. */
static uint64_t block_end(uint64_t total, uint64_t threads, uint64_t at) {
    uint64_t each = total / threads, more = total % threads, larger = more * (each + 1);
    if (at < larger)
        return (at / (each + 1) + 1) * (each + 1);
    return larger + ((at - larger) / each + 1) * each;
}

/* For each thread count: where the chunk that guided hands out ends. One loop is cut at a time: those of inner regions
 * are not cut. */
static uint64_t guided_ends[VO_THREADS];

void vo_cut_begin(const struct share *share) {
    if (share->schedule == FR_GUIDED)
        for (int i = 0; i < VO_THREADS && fr_cuts[i]; i++)
            guided_ends[i] = vo_guided(share->total, (uint64_t)fr_cuts[i], share->chunk);
}

static uint64_t guided_cut_end(const struct share *share) {
    uint64_t end = share->total;
    for (int i = 0; i < VO_THREADS && fr_cuts[i]; i++) {
        uint64_t *e = &guided_ends[i];
        if (*e <= share->given)
            *e += vo_guided(share->total - *e, (uint64_t)fr_cuts[i], share->chunk);
        if (*e < end)
            end = *e;
    }
    return end;
}

/* The next place, after what was handed out, at which the schedule begins a chunk for one of the thread counts. */
uint64_t vo_cut_end(const struct share *share) {
    uint64_t end = share->total, at = share->given;
    if (share->schedule == FR_GUIDED)
        return guided_cut_end(share);
    if (share->chunk > 0) {
        uint64_t left = share->chunk - at % share->chunk;
        return left < end - at ? at + left : end;
    }
    for (const int *threads = fr_cuts; *threads; threads++) {
        uint64_t e = block_end(share->total, (uint64_t)*threads, at);
        if (e < end)
            end = e;
    }
    return end;
}
