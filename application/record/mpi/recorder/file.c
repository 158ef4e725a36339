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

#include "recorder.h"

static const char *const call_names[] = {
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
    snprintf(whole, sizeof whole, "%s/messages.%d.txt", folder, rank);
    /* A second program under the same mpirun has the same ranks. */
    for (int i = 2; access(whole, F_OK) == 0; i++)
        snprintf(whole, sizeof whole, "%s/messages.%d-%d.txt", folder, rank, i);
    gethostname(host, sizeof host - 1);
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = 0;
}

static struct {
    int fd;
    size_t used;
    int failed; /* errno of what failed first */
    char text[1 << 14];
} out;

static void flush(void) {
    for (size_t done = 0; done < out.used && !out.failed;) {
        ssize_t n = write(out.fd, out.text + done, out.used - done);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            out.failed = n < 0 ? errno : EIO;
    }
    out.used = 0;
}

static void put(const char *text) {
    for (; *text; text++) {
        if (out.used == sizeof out.text)
            flush();
        out.text[out.used++] = *text;
    }
}

static void put_number(uint64_t n, int digits) {
    char text[24], *at = text + sizeof text;
    *--at = 0;
    do {
        *--at = (char)('0' + n % 10);
        n /= 10;
    } while (n || at > text + sizeof text - 1 - digits);
    put(at);
}

static void put_count(uint64_t n) {
    put(" ");
    put_number(n, 1);
}

static void put_seconds(uint64_t ns) {
    put_count(ns / 1000000000u);
    put(".");
    put_number(ns % 1000000000u, 9);
}

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

static void put_text(const char *word, const char *text) {
    put(word);
    put(" ");
    put(text);
    put("\n");
}

static void put_head(void) {
    uint64_t wall, cpu;
    span_end(&wall, &cpu);
    put("foresee-mpi 1\nrank");
    put_count((uint64_t)world_rank_here);
    put("\nsize");
    put_count((uint64_t)world_size);
    put("\n");
    put_text("mpi", library.open_mpi ? "openmpi" : "mpich");
    put_text("library", library.name);
    put_text("host", host);
    put_text("program", program);
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

static void say_lost(int error) {
    out.fd = STDERR_FILENO;
    out.failed = 0;
    put("foresee: rank");
    put_count((uint64_t)world_rank_here);
    put(": cannot write ");
    put(whole);
    put(": ");
    put(why(error));
    put("; what the rank did is lost\n");
    flush();
}

/* file_write writes the file once, whoever comes first. A part that could not be ended stays and tells of it. */
void file_write(enum ending ending) {
    if (getpid() != rank_process || atomic_flag_test_and_set(&written))
        return;
    struct sigaction large, ignored = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignored, &large); /* a file that is too large is an error here */
    out.fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    out.failed = out.fd < 0 ? errno : 0;
    put_head();
    for (const struct thread *t = atomic_load(&all_threads); t; t = t->next)
        put_thread(t);
    if (ending != CUT_OFF && !atomic_load(&lossy))
        put(ending == ABORTED ? "end abort\n" : "end\n");
    flush();
    if (!out.failed && fsync(out.fd) != 0 && errno != EINVAL)
        out.failed = errno;
    if (out.fd >= 0 && close(out.fd) != 0 && !out.failed)
        out.failed = errno;
    if (!out.failed && rename(part, whole) != 0)
        out.failed = errno;
    sigaction(SIGXFSZ, &large, 0);
    if (out.failed)
        say_lost(out.failed);
}
