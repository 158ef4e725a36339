/* files.c - whether a run of a program would find files that an earlier run has left.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A program is run more than once, to compare what it prints. That shows something only where each run finds the same
 * files. A file that is written anew, and was not looked at before, is the same to each; one that is added to, changed,
 * made only where there is none, or written after the program looked whether it is there, is not: a checkpoint, say, from
 * which the next run would go on. With FORESEE_FILES in the environment, the number of a descriptor, the first such file
 * is told there; with FORESEE_FILES_STOP as well the program ends before it touches that file. Programs may have
 * functions of these names of their own. */
#define _GNU_SOURCE
#include "fiber.h"

#ifndef FORESEE_PRELOAD
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OURS __attribute__((weak, visibility("default")))

/* A file by its name, and by its place on the disk where it is there. */
struct known {
    uint64_t name; /* a hash of it */
    dev_t device;
    ino_t inode;   /* 0: it was not there */
    bool ours;     /* what is in it is of this run */
};

enum { MOST = 4096 }; /* chosen: files that are told apart; one more that is written counts as one that was looked at */
static struct known files[MOST];
static int count;
static int descriptor = -1; /* -1: nobody wants to know */
static bool stops;

/* The program may change its environment, or start others with it: it is read first. But after the recorder, which may
 * start the program once more (constructor 101). */
__attribute__((constructor(102))) static void watch(void) {
    const char *text = getenv("FORESEE_FILES");
    if (!text)
        return;
    descriptor = atoi(text);
    stops = getenv("FORESEE_FILES_STOP") != NULL;
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    unsetenv("FORESEE_FILES");
    unsetenv("FORESEE_FILES_STOP");
}

static bool watched(void) { return descriptor >= 0; }

static void *next(const char *name) {
    void *f = dlsym(RTLD_NEXT, name);
    if (!f)
        fr_fail("the C library lacks a function of files");
    return f;
}

static uint64_t hash(const char *s) {
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211u;
    return h;
}

/* Whether the file is there; what is no plain file keeps nothing for another run. */
static bool find(int folder, const char *path, struct stat *s, bool *plain) {
    bool there = syscall(SYS_newfstatat, folder, path, s, 0) == 0;
    *plain = !there || S_ISREG(s->st_mode);
    return there;
}

/* The file, NULL where it is new. */
static struct known *known_file(const char *path, const struct stat *s, bool there) {
    uint64_t name = hash(path);
    for (int i = 0; i < count; i++) {
        struct known *f = &files[i];
        if (f->name == name || (there && f->inode == s->st_ino && f->device == s->st_dev && f->inode))
            return f;
    }
    return NULL;
}

static void keep(const char *path, const struct stat *s, bool there, bool ours) {
    if (count < MOST)
        files[count++] = (struct known){hash(path), there ? s->st_dev : 0, there ? s->st_ino : 0, ours};
}

static void look_at(int folder, const char *path) {
    if (!watched() || !path)
        return;
    int before = errno;
    struct stat s;
    bool plain, there = find(folder, path, &s, &plain);
    if (plain && !known_file(path, &s, there))
        keep(path, &s, there, false);
    errno = before;
}

ssize_t __write(int, const void *, size_t); /* the C library's, not that which lets other virtual threads run */

static void tell(const char *path) {
    ssize_t written = __write(descriptor, path, strnlen(path, 512));
    (void)written;
    close(descriptor);
    descriptor = -1;
    if (stops)
        syscall(SYS_exit_group, 0);
}

enum change { REPLACES, CHANGES };

/* The program writes a file. */
static void write_to(int folder, const char *path, enum change how) {
    if (!watched() || !path)
        return;
    int before = errno;
    struct stat s;
    bool plain, there = find(folder, path, &s, &plain);
    struct known *f = plain ? known_file(path, &s, there) : NULL;
    if (!plain || (f && f->ours))
        ;
    else if (f || how == CHANGES || count == MOST)
        tell(path);
    else
        keep(path, &s, there, true);
    errno = before;
}

static void opens(int folder, const char *path, int flags) {
    if ((flags & O_TMPFILE) == O_TMPFILE)
        return;
    if ((flags & O_ACCMODE) == O_RDONLY && !(flags & (O_CREAT | O_TRUNC)))
        look_at(folder, path);
    else
        write_to(folder, path, (flags & O_TRUNC) && !(flags & O_EXCL) ? REPLACES : CHANGES);
}

static void opens_as(const char *path, const char *mode) {
    if (!mode || !path)
        return;
    if (mode[0] == 'r' && !strchr(mode, '+'))
        look_at(AT_FDCWD, path);
    else
        write_to(AT_FDCWD, path, mode[0] == 'w' && !strchr(mode, 'x') ? REPLACES : CHANGES);
}

#define MODE(flags, last)                                                                                              \
    mode_t mode = 0;                                                                                                   \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                                           \
        va_list list;                                                                                                  \
        va_start(list, last);                                                                                          \
        mode = va_arg(list, mode_t);                                                                                   \
        va_end(list);                                                                                                  \
    }

#define OPEN(name)                                                                                                     \
    OURS int name(const char *path, int flags, ...) {                                                                  \
        MODE(flags, flags)                                                                                             \
        if (vo_hidden(path)) {                                                                                         \
            errno = ENOENT;                                                                                            \
            return -1;                                                                                                 \
        }                                                                                                              \
        opens(AT_FDCWD, path, flags);                                                                                  \
        return ((int (*)(const char *, int, ...))next(#name))(path, flags, mode);                                      \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                                                   \
    OURS int name(int folder, const char *path, int flags, ...) {                                                      \
        MODE(flags, flags)                                                                                             \
        opens(folder, path, flags);                                                                                    \
        return ((int (*)(int, const char *, int, ...))next(#name))(folder, path, flags, mode);                         \
    }
OPENAT(openat)
OPENAT(openat64)

#define OPEN_2(name)                                                                                                   \
    OURS int name(const char *path, int flags);                                                                        \
    OURS int name(const char *path, int flags) {                                                                       \
        opens(AT_FDCWD, path, flags);                                                                                  \
        return ((int (*)(const char *, int))next(#name))(path, flags);                                                 \
    }
OPEN_2(__open_2)
OPEN_2(__open64_2)

#define CREAT(name)                                                                                                    \
    OURS int name(const char *path, mode_t mode) {                                                                     \
        write_to(AT_FDCWD, path, REPLACES);                                                                            \
        return ((int (*)(const char *, mode_t))next(#name))(path, mode);                                               \
    }
CREAT(creat)
CREAT(creat64)

#define FOPEN(name)                                                                                                    \
    OURS FILE *name(const char *restrict path, const char *restrict mode) {                                            \
        opens_as(path, mode);                                                                                          \
        return ((FILE * (*)(const char *, const char *)) next(#name))(path, mode);                                     \
    }
FOPEN(fopen)
FOPEN(fopen64)

#define FREOPEN(name)                                                                                                  \
    OURS FILE *name(const char *restrict path, const char *restrict mode, FILE *restrict f) {                          \
        opens_as(path, mode);                                                                                          \
        return ((FILE * (*)(const char *, const char *, FILE *)) next(#name))(path, mode, f);                          \
    }
FREOPEN(freopen)
FREOPEN(freopen64)

#define ONE_PATH(name, how)                                                                                            \
    OURS int name(const char *path) {                                                                                  \
        write_to(AT_FDCWD, path, how);                                                                                 \
        return ((int (*)(const char *))next(#name))(path);                                                             \
    }
ONE_PATH(unlink, REPLACES)
ONE_PATH(remove, REPLACES)

OURS int rename(const char *from, const char *to) {
    write_to(AT_FDCWD, from, CHANGES);
    write_to(AT_FDCWD, to, REPLACES);
    return ((int (*)(const char *, const char *))next("rename"))(from, to);
}

/* A folder that is there stays as it is. */
OURS int mkdir(const char *path, mode_t mode) {
    write_to(AT_FDCWD, path, CHANGES);
    return ((int (*)(const char *, mode_t))next("mkdir"))(path, mode);
}

#define TRUNCATE(name, type)                                                                                           \
    OURS int name(const char *path, type bytes) {                                                                      \
        write_to(AT_FDCWD, path, CHANGES);                                                                             \
        return ((int (*)(const char *, type))next(#name))(path, bytes);                                                \
    }
TRUNCATE(truncate, off_t)
TRUNCATE(truncate64, off64_t)

OURS int access(const char *path, int how) {
    look_at(AT_FDCWD, path);
    return ((int (*)(const char *, int))next("access"))(path, how);
}

#define STAT(name, type)                                                                                               \
    OURS int name(const char *restrict path, type *restrict s) {                                                       \
        look_at(AT_FDCWD, path);                                                                                       \
        return ((int (*)(const char *, type *))next(#name))(path, s);                                                  \
    }
STAT(stat, struct stat)
STAT(lstat, struct stat)
STAT(stat64, struct stat64)
STAT(lstat64, struct stat64)

OURS int fstatat(int folder, const char *restrict path, struct stat *restrict s, int flags) {
    look_at(folder, path);
    return ((int (*)(int, const char *, struct stat *, int))next("fstatat"))(folder, path, s, flags);
}
#endif
