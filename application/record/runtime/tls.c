/* tls.c - thread-local variables of the main program that are not emulated (emutls.c): one image for each virtual thread, copied in and out at a switch,
 * so that all of them see their own at the one address. A pointer to another thread's variable does not lead to that.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What libraries keep for a thread is not swapped, but errno, at a switch of fibers (fiber.c), and the values of pthread keys (keys.c). */
#define _GNU_SOURCE
#include <link.h>
#include <string.h>

#include "fiber.h"

static char *block;             /* where the variables of whichever thread runs lie */
static size_t bytes;
static const char *first_image; /* what they are at first, the rest of the block is cleared */
static size_t first_bytes;
static char *images[VO_THREADS];
static int owner;               /* the thread whose variables are in the block */
static char *frozen;            /* those of thread 0 as it began the region */

static int find_block(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    bool shared = false;
    for (int i = 0; i < info->dlpi_phnum; i++)
        shared |= info->dlpi_phdr[i].p_type == PT_INTERP;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_TLS || !info->dlpi_tls_data)
            continue;
        if (!shared)
            fr_fail("the program is linked statically: its thread-local variables cannot be told from those of the C "
                    "library; link it without -static");
        block = info->dlpi_tls_data;
        bytes = p->p_memsz;
        first_image = (const char *)info->dlpi_addr + p->p_vaddr;
        first_bytes = p->p_filesz;
    }
    return 1; /* the main program is the first, the others are libraries */
}

void vo_tls_init(void) {
    dl_iterate_phdr(find_block, NULL);
    if (bytes)
        fr_tls(block, bytes);
}

void vo_tls_prepare(int threads) {
    for (int i = 0; bytes && i < threads; i++) {
        if (images[i])
            continue;
        images[i] = vo_alloc(bytes);
        memcpy(images[i], first_image, first_bytes);
    }
}

void vo_tls_switch(int thread) {
    if (!bytes || thread == owner)
        return;
    memcpy(images[owner], block, bytes);
    memcpy(block, images[thread], bytes);
    owner = thread;
}

/* Copyin hands the threads the addresses of variables of thread 0, which here are the addresses of their own. So as a
 * region begins, such addresses among its data are replaced by those of a copy. Returns how many; before gets what the
 * words were. */
int vo_tls_freeze(void **words, int count, void **before) {
    int found = 0;
    for (int i = 0; bytes && i < count; i++) {
        size_t offset = (size_t)((char *)words[i] - block);
        if (before)
            before[i] = words[i];
        if (offset >= bytes)
            continue;
        if (!frozen)
            frozen = vo_alloc(bytes);
        if (!found++)
            memcpy(frozen, block, bytes);
        words[i] = frozen + offset;
    }
    return found;
}

void vo_tls_thaw(void **words, int count, void *const *before) {
    for (int i = 0; frozen && i < count; i++) {
        size_t offset = (size_t)((char *)words[i] - frozen);
        if (offset < bytes && (char *)before[i] == block + offset)
            words[i] = before[i];
    }
}

/* Destructors of C++ thread-local objects. The C library would run those of all virtual threads; as with threads that
 * are still there when the program ends, those of the one that calls exit are run. */
struct destructor {
    struct destructor *next;
    void (*run)(void *);
    void *object;
};
static struct destructor *destructors[VO_THREADS];

int __cxa_thread_atexit_impl(void (*run)(void *), void *object, void *library) __attribute__((weak));

static void run_destructors(void *unused) {
    (void)unused;
    struct destructor *d;
    while ((d = destructors[vo_current->thread])) {
        destructors[vo_current->thread] = d->next;
        d->run(d->object);
    }
}

__attribute__((visibility("default"))) int __cxa_thread_atexit(void (*run)(void *), void *object, void *library) {
    static bool registered;
    bool ours = (size_t)((char *)object - block) < bytes || vo_is_local(object);
    if (!ours)
        return __cxa_thread_atexit_impl ? __cxa_thread_atexit_impl(run, object, library) : -1;
    if (!registered && __cxa_thread_atexit_impl)
        __cxa_thread_atexit_impl(run_destructors, NULL, library);
    registered = true;
    struct destructor *d = vo_alloc(sizeof *d);
    *d = (struct destructor){destructors[vo_current->thread], run, object};
    destructors[vo_current->thread] = d;
    return 0;
}
