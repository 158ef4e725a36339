/* life.c - from MPI_Init to MPI_Finalize, or to whatever end comes first.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events.h"

static uint64_t wall_start, cpu_start;
bool under_callgrind;

static uint64_t cpu_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void span_start(void) {
    wall_start = now();
    cpu_start = cpu_now();
}

void span_end(uint64_t *wall, uint64_t *cpu) {
    *wall = now() - wall_start;
    *cpu = cpu_now() - cpu_start;
}

/* mpirun ends the ranks of a job that was interrupted, or of which one died, by a signal. */
static void on_signal(int number) {
    file_write(CUT_OFF);
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old, mine = {.sa_handler = on_signal};
        if (sigaction(numbers[i], 0, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(numbers[i], &mine, 0); /* a program that has a handler keeps it */
    }
}

static void begin(int failed) {
    static atomic_flag begun = ATOMIC_FLAG_INIT;
    if (failed || !file_wanted() || atomic_flag_test_and_set(&begun) || !library_open())
        return;
    int rank = 0;
    ((int (*)(word, int *))mpi_function("PMPI_Comm_rank"))(library.world, &rank);
    ((int (*)(word, int *))mpi_function("PMPI_Comm_size"))(library.world, &world_size);
    file_name(rank);
    catch_signals();
    span_start();
    if (events_wanted)
        events_start();
    atomic_store(&recording, true);
    const char *tool = getenv("FORESEE_MPI_TOOL");
    if (tool && strcmp(tool, "callgrind") == 0) {
        under_callgrind = true;
        callgrind_request(CALLGRIND_ZERO);
    }
}

static void end(enum ending ending) {
    if (!atomic_exchange(&recording, false))
        return;
    callgrind_toggle();
    under_callgrind = false;
    file_write(ending);
}

/* A program that exits without MPI_Finalize. */
__attribute__((destructor)) static void unloaded(void) { end(CUT_OFF); }

/* Where one of these calls another, that changes nothing: a run begins and ends once. */
#define LIFE(name)                                                                        \
    EXPORT int name##Init(word argc, word argv) {                                         \
        int failed = ((int (*)(word, word))mpi_function(#name "Init"))(argc, argv);       \
        begin(failed);                                                                    \
        return failed;                                                                    \
    }                                                                                     \
    EXPORT int name##Init_thread(word argc, word argv, word required, word provided) {    \
        int (*next)(word, word, word, word) = (int (*)(word, word, word, word))mpi_function(#name "Init_thread"); \
        int failed = next(argc, argv, required, provided);                                \
        begin(failed);                                                                    \
        return failed;                                                                    \
    }                                                                                     \
    EXPORT int name##Finalize(void) {                                                     \
        end(FINALIZED);                                                                   \
        return ((int (*)(void))mpi_function(#name "Finalize"))();                         \
    }                                                                                     \
    EXPORT int name##Abort(word comm, word code) {                                        \
        end(ABORTED);                                                                     \
        return ((int (*)(word, word))mpi_function(#name "Abort"))(comm, code);            \
    }
LIFE(MPI_)
LIFE(PMPI_)
