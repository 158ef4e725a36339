/* comms.c - what communicators are called in a file of events: by their members, and by which of those with the same members they are.
 * Their members create communicators in one order, and free them in one, so that all of them give a communicator the same name.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "events.h"
#include "put.h"

/* Communicators that were freed give their number to the next one; chosen: more at a time than MPI libraries have contexts for. */
enum { MOST = 1 << 16 };

struct comm {
    int *members, size; /* ranks in MPI_COMM_WORLD; NULL for all of them in order */
    int instance;       /* among those with these members, from 0 */
    bool used;
};

static struct comm *comms;
static int count, room;

static bool same(const struct comm *c, const int *members, int size) {
    return c->size == size && memcmp(c->members, members, (size_t)size * sizeof *members) == 0;
}

/* free_place finds the number of one that had these members and was freed, the one that was created first, or makes a new one. */
static int free_place(const int *members, int size) {
    int instance = 0;
    for (int i = 0; i < count; i++)
        if (same(&comms[i], members, size)) {
            if (!comms[i].used)
                return i;
            instance++;
        }
    if (count == room) {
        int larger = room ? 2 * room : 16;
        struct comm *all = count < MOST ? realloc(comms, (size_t)larger * sizeof *all) : 0;
        if (!all)
            return -1;
        comms = all;
        room = larger;
    }
    int *copy = malloc((size_t)size * sizeof *copy + 1);
    if (!copy)
        return -1;
    memcpy(copy, members, (size_t)size * sizeof *copy);
    comms[count] = (struct comm){copy, size, instance, false};
    return count++;
}

/* comm_number gives the number of a communicator. */
int comm_number(struct group *g) {
    if (g->number > 0)
        return g->number - 1;
    world_rank(g, 0); /* so that the members are known */
    int *members = atomic_load(&g->world);
    int *all = 0;
    if (!members && g->handle == library.world && (members = all = malloc((size_t)g->receivers * sizeof *all)))
        for (int i = 0; i < g->receivers; i++)
            all[i] = i;
    int number = members ? free_place(members, g->receivers) : -1;
    free(all);
    if (number < 0) {
        atomic_store(&lossy, true);
        return NONE;
    }
    comms[number].used = true;
    g->number = number + 1;
    return number;
}

void comm_freed(int number) {
    if (number > 0)
        comms[number - 1].used = false;
}

/* put_members writes ranks as 0-3,7. */
static void put_members(const struct comm *c) {
    for (int i = 0, last; i < c->size; i = last + 1) {
        for (last = i; last + 1 < c->size && c->members[last + 1] == c->members[last] + 1;)
            last++;
        put(i ? "," : " ");
        put_signed(c->members[i]);
        if (last > i) {
            put("-");
            put_signed(c->members[last]);
        }
    }
}

void comms_put(void) {
    for (int i = 0; i < count; i++) {
        put("comm");
        put_count((uint64_t)i);
        put_count((uint64_t)comms[i].instance);
        put_members(&comms[i]);
        put("\n");
    }
}
