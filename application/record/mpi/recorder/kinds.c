/* kinds.c - what calls do to requests and communicators: where among their arguments these are.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "events.h"

/* events_request is the argument, from 1, that a call puts a request into; 0: none. The names of such calls begin with I, and the
 * request is their last argument. */
unsigned events_request(enum call call) {
    static const unsigned char last[CALLS] = {
#define CALL(name, n, ...) [CALL_##name] = n,
#define SIZED(name, n, ...) [CALL_##name] = n,
#define POLL(name, n)
#define COLLECTIVE(name, later, n, n_later, ...) [CALL_##later] = n_later,
#include "calls.def"
#undef CALL
#undef SIZED
#undef POLL
#undef COLLECTIVE
    };
    bool made = call_names[call][4] == 'I' && strncmp(call_names[call] + 4, "Intercomm", 9) != 0;
    return made || call == CALL_Comm_idup ? last[call] : 0;
}

/* events_at_once is the call that does at once what a persistent request does when it is started; 0: none is recorded. */
int events_at_once(enum call call) {
    static const struct {
        enum call prepared, made;
    } pairs[] = {
        {CALL_Send_init, CALL_Isend}, {CALL_Bsend_init, CALL_Ibsend}, {CALL_Ssend_init, CALL_Issend},
        {CALL_Rsend_init, CALL_Irsend}, {CALL_Recv_init, CALL_Irecv}, {CALL_Barrier_init, CALL_Ibarrier},
#define CALL(...)
#define SIZED(...)
#define POLL(...)
#define COLLECTIVE(name, later, ...) {CALL_##name##_init, CALL_##later},
#include "calls.def"
#undef CALL
#undef SIZED
#undef POLL
#undef COLLECTIVE
    };
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].prepared == call)
            return pairs[i].made;
    return 0;
}

/* events_created gives a new communicator its number at once: all its members create it in the same order, but may first use it in
 * another. */
void events_created(enum call call, const word *a) {
    static const struct {
        enum call call;
        unsigned char at;
    } outs[] = {
        {CALL_Comm_dup, 2}, {CALL_Comm_dup_with_info, 3}, {CALL_Comm_create, 3}, {CALL_Comm_create_group, 4},
        {CALL_Comm_split, 4}, {CALL_Comm_split_type, 5}, {CALL_Cart_create, 6}, {CALL_Cart_sub, 3},
        {CALL_Graph_create, 6}, {CALL_Dist_graph_create, 9}, {CALL_Dist_graph_create_adjacent, 10},
        {CALL_Intercomm_create, 6}, {CALL_Intercomm_merge, 3},
    };
    for (unsigned i = 0; i < sizeof outs / sizeof *outs; i++) {
        if (outs[i].call != call)
            continue;
        word comm = handle_at(a[outs[i].at], 0);
        if (comm == library.comm_null)
            return;
        struct group *g = group_of(current_thread, comm, false);
        if (g)
            comm_number(g);
        return;
    }
}
