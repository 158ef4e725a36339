/* host.c - what runs as if it were not there: target regions on the host, a league of teams one after the other, cancelling that is off.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "gomp.h"

#define UNUSED __attribute__((unused))

/* Without OMP_CANCELLATION nothing is cancelled. */
static bool cancels_nothing(void) {
    const char *asked = getenv("OMP_CANCELLATION");
    if (asked && (!strcasecmp(asked, "true") || !strcmp(asked, "1")))
        fr_fail("OMP_CANCELLATION is set, and the program cancels: foresee runs such programs only without");
    return false;
}

bool GOMP_cancel(UNUSED int what, bool condition) { return condition && cancels_nothing(); }
bool GOMP_cancellation_point(UNUSED int what) { return cancels_nothing(); }
bool GOMP_barrier_cancel(void) {
    vo_barrier();
    return false;
}
void GOMP_loop_end(void);
bool GOMP_loop_end_cancel(void) {
    GOMP_loop_end();
    return false;
}
bool GOMP_sections_end_cancel(void) { return GOMP_loop_end_cancel(); }

int32_t __kmpc_cancel(UNUSED void *loc, UNUSED int32_t gtid, UNUSED int32_t what) { return cancels_nothing(); }
int32_t __kmpc_cancellationpoint(UNUSED void *loc, UNUSED int32_t gtid, UNUSED int32_t what) {
    return cancels_nothing();
}
int32_t __kmpc_cancel_barrier(UNUSED void *loc, UNUSED int32_t gtid) {
    vo_barrier();
    return 0;
}

/* Data are where they are; but a target region has its own copy of what is firstprivate. */
enum { KIND = 0xff, FIRSTPRIVATE = 0xc, ALIGN_SHIFT = 8 };

/* What one is aligned to, and the room that takes. */
static size_t aligned_to(unsigned short kind) { return (size_t)1 << (kind >> ALIGN_SHIFT); }
static bool is_private(const void *address, unsigned short kind) { return (kind & KIND) == FIRSTPRIVATE && address; }

/* Gives the room that the copies take, which is the caller's to free. */
static void *copy_privates(size_t count, void **addresses, const size_t *bytes, const unsigned short *kinds) {
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        if (is_private(addresses[i], kinds[i]))
            all += bytes[i] + aligned_to(kinds[i]);
    char *room = all ? vo_alloc(all) : NULL;
    uintptr_t at = (uintptr_t)room;
    for (size_t i = 0; i < count; i++)
        if (is_private(addresses[i], kinds[i])) {
            at = (at + aligned_to(kinds[i]) - 1) & ~(uintptr_t)(aligned_to(kinds[i]) - 1);
            addresses[i] = memcpy((void *)at, addresses[i], bytes[i]);
            at += bytes[i];
        }
    return room;
}

void GOMP_target_ext(UNUSED int device, void (*function)(void *), size_t count, void **addresses, const size_t *bytes,
                     const unsigned short *kinds, UNUSED unsigned flags, void **depend, UNUSED void **arguments) {
    if (depend)
        fr_fail("a target region has a depend clause: foresee does not know that");
    void *room = copy_privates(count, addresses, bytes, kinds);
    function(addresses);
    vo_free(room);
}

void GOMP_target_data_ext(UNUSED int device, UNUSED size_t count, UNUSED void **addresses, UNUSED size_t *bytes,
                          UNUSED unsigned short *kinds) {}
void GOMP_target_end_data(void) {}
void GOMP_target_update_ext(UNUSED int device, UNUSED size_t count, UNUSED void **addresses, UNUSED size_t *bytes,
                            UNUSED unsigned short *kinds, UNUSED unsigned flags, UNUSED void **depend) {}
void GOMP_target_enter_exit_data(UNUSED int device, UNUSED size_t count, UNUSED void **addresses,
                                 UNUSED size_t *bytes, UNUSED unsigned short *kinds, UNUSED unsigned flags,
                                 UNUSED void **depend) {}

/* Teams run one after the other; without num_teams there is one. */
struct league vo_league = {.teams = 1};

int omp_get_num_teams(void) { return (int)vo_league.teams; }
int omp_get_team_num(void) { return (int)vo_league.team; }

bool GOMP_teams4(unsigned low, UNUSED unsigned high, UNUSED unsigned limit, bool first) {
    if (!first && ++vo_league.team == vo_league.teams) {
        vo_league = (struct league){.teams = 1};
        return false;
    }
    if (first)
        vo_league = (struct league){.teams = low > 0 ? low : 1};
    return true;
}

void vo_teams(unsigned count, void (*function)(void *), void *data) {
    vo_league.teams = count > 0 ? count : 1;
    for (vo_league.team = 0; vo_league.team < vo_league.teams; vo_league.team++)
        function(data);
    vo_league = (struct league){.teams = 1};
}

void GOMP_teams_reg(void (*function)(void *), void *data, unsigned count, UNUSED unsigned limit,
                    UNUSED unsigned flags) {
    vo_teams(count, function, data);
}
