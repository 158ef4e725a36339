/* under.c - runs each rank under a tool such as valgrind. The launcher starts the program as always; when the program
 * has been loaded with this library before it, it starts the tool in its own place, with itself as the tool's program.
 * So nobody has to find the program among the launcher's options, and scripts in between run as they are.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder.h"

/* rank_of_launcher is the rank as the launcher says it, before MPI_Init; alone, a program is rank 0. */
static const char *rank_of_launcher(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const char *rank = getenv(names[i]);
        if (rank && *rank)
            return rank;
    }
    return "0";
}

/* with_rank copies a word of the tool's command; %r in it is the rank. */
static char *with_rank(const char *text, const char *rank) {
    const char *at = strstr(text, "%r");
    size_t room = strlen(text) + strlen(rank) + 1;
    char *copy = malloc(room);
    if (copy && at)
        snprintf(copy, room, "%.*s%s%s", (int)(at - text), text, rank, at + 2);
    else if (copy)
        strcpy(copy, text);
    return copy;
}

static void fail(const char *tool) {
    fprintf(stderr, "foresee: %s cannot be started on this node\n", tool);
    _exit(127);
}

/* The words of the tool's command are separated by line ends. */
__attribute__((constructor)) static void loaded(int argc, char **argv) {
    const char *given = getenv("FORESEE_MPI_UNDER");
    if (!given || !*given || !dlsym(RTLD_NEXT, "MPI_Init"))
        return; /* not a program of MPI: the launcher, a script */
    static char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char *command = strdup(given);
    char **words = calloc(strlen(given) + (size_t)argc + 2, sizeof *words);
    if (length <= 0 || !command || !words)
        fail(given);
    int n = 0;
    for (char *rest = command, *word; (word = strsep(&rest, "\n"));)
        if (!(words[n++] = with_rank(word, rank_of_launcher())))
            fail(given);
    words[n++] = program;
    for (int i = 1; i < argc; i++)
        words[n++] = argv[i];
    unsetenv("FORESEE_MPI_UNDER"); /* the tool's program is the rank itself */
    if (strstr(given, "--tool=callgrind"))
        setenv("FORESEE_MPI_TOOL", "callgrind", 1);
    execv(words[0], words);
    fail(words[0]);
}
