/* processors.c - how many processors the program is told of: as many as the run has threads, where it is not one that is dealt to any number of them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "own.h"

static bool tells(void) { return vo_on_only_thread() && !fr_cut; }
static int processors(void) { return fr_threads > 0 && fr_threads < VO_THREADS ? fr_threads : 1; }

OURS int get_nprocs(void) { return tells() ? processors() : REAL(get_nprocs)(); }
OURS int get_nprocs_conf(void) { return tells() ? processors() : REAL(get_nprocs_conf)(); }

OURS long sysconf(int name) {
    if ((name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) && tells())
        return processors();
    return REAL(sysconf)(name);
}

/* How much of the processors' time the program's group of processes may have, by which Rust's library bounds their number. */
bool vo_hidden(const char *path) { return tells() && !strcmp(path, "/proc/self/cgroup"); }

static void fill(size_t bytes, cpu_set_t *set) {
    memset(set, 0, bytes);
    for (int i = 0; i < processors() && (size_t)i < 8 * bytes; i++)
        CPU_SET_S((size_t)i, bytes, set);
}

OURS int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set) {
    if (!tells())
        return REAL(sched_getaffinity)(pid, bytes, set);
    if (8 * bytes < (size_t)processors()) {
        errno = EINVAL;
        return -1;
    }
    fill(bytes, set);
    return 0;
}

OURS int pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t *set) {
    if (!tells())
        return REAL(pthread_getaffinity_np)(thread, bytes, set);
    if (8 * bytes < (size_t)processors())
        return EINVAL;
    fill(bytes, set);
    return 0;
}

/* Where threads are to run: to be believed, not to be done. */
OURS int sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *set) { return tells() ? 0 : REAL(sched_setaffinity)(pid, bytes, set); }
OURS int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set) {
    return tells() ? 0 : REAL(pthread_setaffinity_np)(thread, bytes, set);
}

/* The processor that the thread is on. */
OURS int sched_getcpu(void) { return tells() && vo_own_threads ? vo_current->recorded : REAL(sched_getcpu)(); }
