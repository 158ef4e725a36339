/* groups.c - what is known of communicators and windows. Handles are used again after they were freed, so that freeing
 * one forgets what was known.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>

#include "events.h"

atomic_uint group_generation = 1; /* changes when a handle is freed: threads then ask again */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct group *groups; /* under the lock */

#define ASK(name, ...)                                                                    \
    ({                                                                                    \
        static int (*ask)();                                                              \
        if (!ask)                                                                         \
            ask = (int (*)())mpi_function("PMPI_" #name);                                 \
        ask(__VA_ARGS__);                                                                 \
    })

/* group_handle gives the MPI group whose ranks are the peers of a communicator or window; it must be freed. */
static word group_handle(word handle, bool window) {
    word group = 0;
    int remote = 0;
    if (window) {
        ASK(Win_get_group, handle, &group);
        return group;
    }
    ASK(Comm_test_inter, handle, &remote);
    if (remote)
        ASK(Comm_remote_group, handle, &group);
    else
        ASK(Comm_group, handle, &group);
    return group;
}

static void describe_window(struct group *g) {
    word group = group_handle(g->handle, true);
    ASK(Group_size, group, &g->processes);
    ASK(Group_rank, group, &g->rank);
    ASK(Group_free, &group);
    g->receivers = g->processes;
}

/* send_neighbours counts the processes that neighbourhood collectives send to. */
static int send_neighbours(word comm, int rank) {
    int kind = 0, in = 0, out = 0, weighted = 0;
    ASK(Topo_test, comm, &kind);
    if (kind == library.undefined)
        return 0;
    if (kind == library.cart) {
        ASK(Cartdim_get, comm, &out);
        return 2 * out;
    }
    if (kind == library.graph)
        ASK(Graph_neighbors_count, comm, rank, &out);
    else
        ASK(Dist_graph_neighbors_count, comm, &in, &out, &weighted);
    return out;
}

static void describe_communicator(struct group *g) {
    int remote = 0;
    ASK(Comm_size, g->handle, &g->processes);
    ASK(Comm_rank, g->handle, &g->rank);
    ASK(Comm_test_inter, g->handle, &remote);
    g->receivers = g->processes;
    if (remote) {
        ASK(Comm_remote_size, g->handle, &g->receivers);
        g->processes += g->receivers;
    } else {
        g->neighbours = send_neighbours(g->handle, g->rank);
    }
}

static struct group *group_known(word handle, bool window) {
    for (struct group *g = groups; g; g = g->next)
        if (g->handle == handle && g->window == window)
            return g;
    return 0;
}

static struct group *group_new(word handle, bool window) {
    struct group *g = calloc(1, sizeof *g);
    if (!g)
        return 0;
    g->handle = handle;
    g->window = window;
    if (window)
        describe_window(g);
    else
        describe_communicator(g);
    g->next = groups;
    return groups = g;
}

struct group *group_find(struct thread *t, word handle, bool window) {
    unsigned generation = atomic_load(&group_generation);
    pthread_mutex_lock(&lock);
    struct group *g = group_known(handle, window);
    if (!g)
        g = group_new(handle, window);
    pthread_mutex_unlock(&lock);
    if (!g) {
        atomic_store(&lossy, true);
        return 0;
    }
    unsigned at = (unsigned)(handle ^ handle >> 8) % NEAR_GROUPS;
    t->near[at].handle = handle;
    t->near[at].generation = generation;
    t->near[at].group = g;
    return g;
}

/* group_forget is called before the handle is freed. */
void group_forget(word handle) {
    pthread_mutex_lock(&lock);
    for (struct group **at = &groups; *at; at = &(*at)->next) {
        struct group *g = *at;
        if (g->handle != handle)
            continue;
        *at = g->next;
        comm_freed(g->number);
        free(atomic_load(&g->world));
        free(g);
        break;
    }
    atomic_fetch_add_explicit(&group_generation, 1, memory_order_release);
    pthread_mutex_unlock(&lock);
}

static int *translate(struct group *g) {
    int *numbers = calloc((size_t)g->receivers * 2, sizeof *numbers);
    if (!numbers)
        return 0;
    int *world = numbers + g->receivers;
    for (int i = 0; i < g->receivers; i++)
        numbers[i] = i;
    word theirs = group_handle(g->handle, g->window), all = group_handle(library.world, false);
    ASK(Group_translate_ranks, theirs, g->receivers, numbers, all, world);
    ASK(Group_free, &theirs);
    ASK(Group_free, &all);
    for (int i = 0; i < g->receivers; i++)
        numbers[i] = world[i];
    return numbers;
}

/* world_rank gives the rank in MPI_COMM_WORLD, or a negative number for a process outside it. */
int world_rank(struct group *g, int rank) {
    if (!g || g->handle == library.world)
        return g ? rank : -1;
    if (rank < 0 || rank >= g->receivers)
        return -1;
    int *world = atomic_load_explicit(&g->world, memory_order_acquire);
    if (!world) {
        pthread_mutex_lock(&lock);
        if (!(world = atomic_load(&g->world)) && (world = translate(g)))
            atomic_store_explicit(&g->world, world, memory_order_release);
        pthread_mutex_unlock(&lock);
    }
    if (!world) {
        atomic_store(&lossy, true);
        return -1;
    }
    return world[rank];
}

/* world_rank_or_any keeps what stands for any rank, -1 or -2 as MPI libraries have it, apart from no rank. */
int world_rank_or_any(struct group *g, int rank) {
    if (rank == library.proc_null)
        return NOBODY;
    return rank < 0 ? ANYBODY : world_rank(g, rank);
}

/* A freed handle is forgotten before MPI can give it to somebody else. */
#define FREES(name)                                                                       \
    EXPORT int name(word object) {                                                        \
        static int (*next)(word);                                                         \
        if (!next)                                                                        \
            next = (int (*)(word))mpi_function(#name);                                    \
        if (atomic_load(&recording))                                                      \
            group_forget(handle_at(object, 0));                                           \
        return next(object);                                                              \
    }
FREES(MPI_Comm_free)
FREES(PMPI_Comm_free)
FREES(MPI_Comm_disconnect)
FREES(PMPI_Comm_disconnect)
FREES(MPI_Win_free)
FREES(PMPI_Win_free)
