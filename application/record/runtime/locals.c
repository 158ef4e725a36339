/* locals.c - thread-local variables of threads that the program makes itself: each such thread has what the C library gives a thread of the system, so
 * that an address of one's variable leads there from another one as well. (What teams of OpenMP have is in tls.c.)
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * To the C library all are the one thread of the system that there is: where the processor finds the thread's variables, the C library finds the
 * description of that thread (System V ABI, x86-64, thread-local storage: the word at the thread pointer is its own address; the C library keeps that of the
 * description in the third one), and the library's own variables are taken along at a switch. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "fiber.h"

#if defined(__x86_64__)
enum { SET_FS = 0x1002, MOST_BLOCKS = 8, CAN_WRITE_FS = 2 /* of AT_HWCAP2 */ };
enum { SELF = 0, VECTOR = 1, SEVERAL = 3 }; /* words at the thread pointer */

static const uintptr_t hint = 0x5d0000000000; /* the same in every run */

static char *initial;          /* thread pointer of the initial thread */
static char *pointers[VO_THREADS], *current;
static size_t description;     /* bytes of what the C library knows of a thread */
static size_t room;            /* bytes of thread-local variables, and some more for libraries that are loaded later */
static void *(*allocate)(void *);
static void (*deallocate)(void *, bool);

static struct {
    ptrdiff_t from; /* the thread pointer */
    size_t bytes;
} of_library[MOST_BLOCKS];
static int blocks_of_library;

static char *thread_pointer(void) {
    char *p;
    __asm__("movq %%fs:0, %0" : "=r"(p));
    return p;
}

void vo_separate_library(const char *low, size_t bytes) {
    if (blocks_of_library == MOST_BLOCKS)
        return;
    of_library[blocks_of_library].from = low - thread_pointer();
    of_library[blocks_of_library++].bytes = bytes;
}

void vo_separate_init(const char *lowest) {
    const unsigned *size = dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread");
    allocate = (void *(*)(void *))dlsym(RTLD_DEFAULT, "_dl_allocate_tls");
    deallocate = (void (*)(void *, bool))dlsym(RTLD_DEFAULT, "_dl_deallocate_tls");
    if (!size || !allocate || !deallocate)
        return;
    enum { MORE = 1 << 16, PAGE = 1 << 12 };
    initial = current = thread_pointer();
    description = *size;
    room = ((size_t)(initial - lowest) + MORE + PAGE - 1) / PAGE * PAGE;
}

bool vo_separate(int thread) { return pointers[thread] != NULL; }

bool vo_separate_prepare(int thread) {
    if (!initial)
        return false;
    char *p = pointers[thread];
    if (p) { /* of one that has ended */
        deallocate(p, false);
        memset(p - room, 0, room + description);
    } else {
        p = (char *)vo_map(hint, room + description, PROT_READ | PROT_WRITE, "no memory for the thread-local variables of a thread") + room;
    }
    if (!allocate(p))
        fr_fail("no memory for the thread-local variables of a thread");
    void **words = (void **)p, *vector = words[VECTOR];
    memcpy(p, initial, description);
    words[SELF] = p;
    words[VECTOR] = vector;
    *(int *)&words[SEVERAL] = 1; /* there may be others of the system */
    pointers[thread] = p;
    return true;
}

static void point(char *p) {
    if (getauxval(AT_HWCAP2) & CAN_WRITE_FS)
        __asm__ volatile("wrfsbase %0" : : "r"(p) : "memory");
    else
        __asm__ volatile("syscall" : : "a"(SYS_arch_prctl), "D"(SET_FS), "S"(p) : "rcx", "r11", "memory");
}

void vo_separate_switch(int thread) {
    char *to = pointers[thread] ? pointers[thread] : initial;
    if (to == current)
        return;
    for (int i = 0; i < blocks_of_library; i++)
        memcpy(to + of_library[i].from, current + of_library[i].from, of_library[i].bytes);
    point(to);
    current = to;
}
#else
void vo_separate_library(const char *low, size_t bytes) { (void)low, (void)bytes; }
void vo_separate_init(const char *lowest) { (void)lowest; }
bool vo_separate(int thread) { return (void)thread, false; }
bool vo_separate_prepare(int thread) { return (void)thread, false; }
void vo_separate_switch(int thread) { (void)thread; }
#endif
