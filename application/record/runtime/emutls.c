/* emutls.c - thread-local variables of code that clang compiled for foresee (-femulated-tls): each virtual thread has
 * memory of its own for them, so that a pointer to another thread's variable leads to that.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The variables of thread t lie t strides behind those of thread 0, where the recording also puts them when one thread's
 * run is dealt to many. They live as long as the program, as with threads that OpenMP keeps between regions. */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "team.h"

/* What the compiler makes for each variable. With an alignment of 0, made by foresee cc, it stands for a variable of a
 * library that was not compiled for foresee, and first is a function that gives the address. */
struct control {
    size_t bytes, alignment;
    uint64_t at;       /* 0: not used yet; its number << 32 | offset */
    const void *first; /* what it is at first, NULL: zeros */
};

static const uintptr_t locals_hint = 0x6f0080000000; /* the same in every run */
static const uintptr_t locals_stride = (uintptr_t)1 << 32;
enum { MOST_VARIABLES = 1 << 20, MOST_BYTES = 1 << 28, FIRST_OFFSET = 64 };

static char *locals[VO_THREADS]; /* for each variable whether the thread has begun it, then the variables */
static uint64_t variables, used = FIRST_OFFSET;
static pthread_mutex_t numbering = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t others;     /* memory of threads that are not virtual ones */
static pthread_once_t others_once = PTHREAD_ONCE_INIT;

static char *reserve(uintptr_t hint) {
    const char *what = "no address space for thread-local variables: raise the limit (ulimit -v)";
    char *low = vo_map(hint, (size_t)MOST_VARIABLES + MOST_BYTES, PROT_NONE, what);
    if (mprotect(low, MOST_VARIABLES, PROT_READ | PROT_WRITE))
        fr_fail("no memory left for thread-local variables");
    return low;
}

static void release(void *low) { munmap(low, (size_t)MOST_VARIABLES + MOST_BYTES); }
static void make_key(void) { pthread_key_create(&others, release); }

static char *of_other_thread(void) {
    pthread_once(&others_once, make_key);
    char *low = pthread_getspecific(others);
    if (!low)
        pthread_setspecific(others, low = reserve(0));
    return low;
}

static char *of_thread(int thread) {
    if (locals[thread])
        return locals[thread];
    char *low = locals[thread] = reserve(locals_hint - MOST_VARIABLES + (uintptr_t)thread * locals_stride);
    if (thread == 0)
        fr_locals(low + MOST_VARIABLES, MOST_BYTES);
    return low;
}

static uint64_t give_number(struct control *c) {
    pthread_mutex_lock(&numbering);
    uint64_t at = c->at;
    if (!at) {
        uint64_t offset = (used + c->alignment - 1) / c->alignment * c->alignment;
        if (variables == MOST_VARIABLES || c->bytes > MOST_BYTES || offset + c->bytes > MOST_BYTES)
            fr_fail("the thread-local variables of the program take more than 256 MiB: foresee has no room for more");
        used = offset + (c->bytes ? c->bytes : 1);
        at = variables++ << 32 | offset;
        __atomic_store_n(&c->at, at, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&numbering);
    return at;
}

static void begin_variable(const struct control *c, char *variable) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), low = (uintptr_t)variable / page * page;
    if (mprotect((void *)low, (uintptr_t)variable + c->bytes - low, PROT_READ | PROT_WRITE))
        fr_fail("no memory left for thread-local variables");
    if (c->first)
        memcpy(variable, c->first, c->bytes);
}

/* What compiled code calls: foresee cc links with --wrap, as each shared library would bring a function of its own. */
__attribute__((visibility("default"))) void *__wrap___emutls_get_address(struct control *c) {
    if (!c->alignment)
        return ((void *(*)(void))c->first)();
    uint64_t at = __atomic_load_n(&c->at, __ATOMIC_ACQUIRE);
    if (!at)
        at = give_number(c);
    char *low = vo_on_only_thread() ? of_thread(vo_current->thread) : of_other_thread();
    char *begun = low + (at >> 32), *variable = low + MOST_VARIABLES + (uint32_t)at;
    if (!*begun) {
        begin_variable(c, variable);
        *begun = 1;
    }
    return variable;
}

/* Whether a variable of a virtual thread lies there. */
bool vo_is_local(const void *variable) {
    for (int i = 0; i < VO_THREADS; i++)
        if (locals[i] && (size_t)((const char *)variable - locals[i]) < (size_t)MOST_VARIABLES + MOST_BYTES)
            return true;
    return false;
}

/* The thread has ended; another one gets its number, and finds nothing begun. */
void vo_locals_forget(int thread) {
    if (locals[thread])
        madvise(locals[thread], (size_t)MOST_VARIABLES + MOST_BYTES, MADV_DONTNEED);
}
