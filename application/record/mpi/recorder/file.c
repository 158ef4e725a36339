/* file.c - writes what a rank did. A signal may ask for that at any time, so this uses neither memory from the heap
 * nor anything of stdio.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events.h"
#include "put.h"

const char *const call_names[] = {
    [CALL_NONE] = "",
#define CALL(name, ...) "MPI_" #name,
#define SIZED(name, ...) "MPI_" #name,
#define POLL(name, ...) "MPI_" #name,
#define COLLECTIVE(name, later, ...) "MPI_" #name, "MPI_" #later, "MPI_" #name "_init",
#include "calls.def"
    [CALL_Start] = "MPI_Start",
    [CALL_Startall] = "MPI_Startall",
};

int world_size;
static int world_rank_here;
static pid_t rank_process; /* not one that it forked */
static char folder[PATH_MAX - 64], part[PATH_MAX], whole[PATH_MAX], host[256], program[PATH_MAX];
static char snapshot_part[PATH_MAX], snapshot[PATH_MAX];
static atomic_flag written = ATOMIC_FLAG_INIT;

bool file_wanted(void) {
    const char *given = getenv("FORESEE_MPI_OUT");
    return given && *given && strlen(given) < sizeof folder;
}

/* file_name prepares everything that asks the system for more than a file. */
void file_name(int rank) {
    rank_process = getpid();
    world_rank_here = rank;
    strcpy(folder, getenv("FORESEE_MPI_OUT"));
    snprintf(part, sizeof part, "%s/.messages.%d.part", folder, rank);
    snprintf(snapshot_part, sizeof snapshot_part, "%s/.snapshot.%d.part", folder, rank);
    snprintf(whole, sizeof whole, "%s/messages.%d.txt", folder, rank);
    /* A second program under the same mpirun has the same ranks. */
    for (int i = 2; access(whole, F_OK) == 0; i++)
        snprintf(whole, sizeof whole, "%s/messages.%d-%d.txt", folder, rank, i);
    snprintf(snapshot, sizeof snapshot, "%s/.snapshot.%s", folder, strrchr(whole, '/') + 1);
    events_begin(strrchr(whole, '/') + 1);
    gethostname(host, sizeof host - 1);
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
}

static struct out out;

static void put_entry(const struct thread *t, const struct entry *e, uint64_t key) {
    unsigned call = (unsigned)(key >> 48), processes = (unsigned)(key >> 8), size_class = (unsigned)(key & 0xff);
    if (call == PEER) {
        put("peer");
        put_count(processes);
        put_count(e->count);
        put_count(e->bytes);
        put("\n");
        return;
    }
    uint64_t count = e->count, ns = e->ns;
    if (t->polls[call] && count) { /* a sample of them was timed */
        ns = (uint64_t)((unsigned __int128)ns * t->polls[call] / count);
        count = t->polls[call];
    }
    put("call ");
    put(call_names[call]);
    put_count(processes);
    put_count(size_class);
    put_count(count);
    put_count(e->bytes);
    put_seconds(ns);
    put_seconds(e->shortest);
    put_seconds(e->longest);
    put("\n");
}

static void put_thread(const struct thread *t) {
    struct table *table = atomic_load(&t->table);
    for (uint64_t i = 0; i < (uint64_t)1 << (64 - table->shift); i++) {
        const struct entry *e = &table->entries[i];
        uint64_t key = atomic_load_explicit(&e->key, memory_order_acquire);
        if (key && e->count)
            put_entry(t, e, key);
    }
}

void put_origin(const char *format) {
    put(format);
    put("\nrank");
    put_count((uint64_t)world_rank_here);
    put("\nsize");
    put_count((uint64_t)world_size);
    put("\n");
    put_text("mpi", library.open_mpi ? "openmpi" : "mpich");
    put_text("library", library.name);
    put_text("host", host);
    put_text("program", program);
}

static void put_head(void) {
    uint64_t wall, cpu;
    span_end(&wall, &cpu);
    put_origin("foresee-mpi 1");
    put("wall");
    put_seconds(wall);
    put("\ncpu");
    put_seconds(cpu);
    put("\n");
}

/* why is strerror for signal handlers. */
static const char *why(int error) {
    switch (error) {
    case ENOSPC: return "no space left on the disk";
    case EDQUOT: return "the disk quota is used up";
    case EFBIG: return "files may not become so large (ulimit -f)";
    case EIO: return "the disk failed";
    case EROFS: return "the disk is mounted read-only";
    case EACCES: return "this user may not write there";
    case ENOENT: return "the folder is gone, or another machine's";
    case EMFILE: case ENFILE: return "too many files are open";
    }
    return "the system refuses it";
}

static void say_lost(const char *file, int error) {
    static struct out said;
    struct out *before = out_select(&said);
    said.fd = STDERR_FILENO;
    said.failed = 0;
    put("foresee: rank");
    put_count((uint64_t)world_rank_here);
    put(": cannot write ");
    put(file);
    put(": ");
    put(why(error));
    put("; what the rank did is lost\n");
    out_flush(&said);
    out_select(before);
}

/* write_counts writes all that was counted under a name that it then changes. */
static int write_counts(const char *to, const char *name, enum ending ending) {
    struct out *before = out_select(&out);
    out_open(&out, to);
    put_head();
    for (const struct thread *t = atomic_load(&all_threads); t; t = t->next)
        put_thread(t);
    if ((ending == FINALIZED || ending == ABORTED) && !atomic_load(&lossy))
        put(ending == ABORTED ? "end abort\n" : "end\n");
    out_flush(&out);
    if (ending != SNAPSHOT && !out.failed && fsync(out.fd) != 0 && errno != EINVAL)
        out.failed = errno;
    out_close(&out);
    if (!out.failed && rename(to, name) != 0)
        out.failed = errno;
    out_select(before);
    return out.failed;
}

static atomic_flag writing = ATOMIC_FLAG_INIT;

/* file_write writes the file once, whoever comes first. A part that could not be ended stays and tells of it. */
void file_write(enum ending ending) {
    if (getpid() != rank_process || atomic_flag_test_and_set(&written))
        return;
    struct sigaction large, ignored = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignored, &large); /* a file that is too large is an error here */
    int failed = write_counts(part, whole, ending);
    sigaction(SIGXFSZ, &large, 0);
    if (failed)
        say_lost(whole, failed);
    events_end(ending);
}

/* Of a rank that is killed, there is what it had done when it was last written: SNAPSHOT_NS before at most. In a short run that is not
 * awaited: the time between is a part of the time that the run has taken. Chosen: writing takes below 0.1 ms. */
enum { SNAPSHOT_PART = 8, SNAPSHOT_FIRST_NS = 10000000 };
static const uint64_t SNAPSHOT_NS = 2000000000u;
atomic_uint_fast64_t snapshot_due;

void file_snapshot(uint64_t now) {
    static atomic_uint_fast64_t last;
    if (getpid() != rank_process || atomic_flag_test_and_set(&writing))
        return;
    uint64_t span, cpu;
    span_end(&span, &cpu);
    uint64_t wait = span / SNAPSHOT_PART;
    wait = wait < SNAPSHOT_FIRST_NS ? SNAPSHOT_FIRST_NS : wait > SNAPSHOT_NS ? SNAPSHOT_NS : wait;
    if (atomic_exchange(&last, now) != 0 || span >= SNAPSHOT_FIRST_NS)
        write_counts(snapshot_part, snapshot, SNAPSHOT);
    events_snapshot();
    atomic_store(&snapshot_due, now + wait);
    atomic_flag_clear(&writing);
}
