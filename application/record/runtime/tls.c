/* tls.c - thread-local variables that are not emulated (emutls.c), of the main program and of libraries but the C library: one image for each
 * virtual thread, copied in and out at a switch, so that all of them see their own at the one address. A pointer to another thread's variable does
 * not lead to that.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the C library keeps for a thread is not swapped, but errno, at a switch of fibers (fiber.c), and the values of pthread keys (keys.c).
 * Libraries that are loaded later (dlopen) keep one value for all. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "fiber.h"

/* Where the variables of whichever thread runs lie. */
struct block {
    char *low;
    size_t bytes;
    const char *first_image; /* what they are at first, the rest of the block is cleared */
    size_t first_bytes;
};

enum { BLOCKS = 64 }; /* chosen: libraries with thread-local variables; those of more are shared by all threads */
static struct block blocks[BLOCKS]; /* the first one is the main program's, of which there may be 0 bytes */
static int count = 1;
static size_t all_bytes;
static char *images[VO_THREADS]; /* of all blocks, one after another */
static bool ended[VO_THREADS];   /* another thread is to begin with variables as they are at first */
static int owner;               /* the thread whose variables are in the blocks */
static char *lowest;            /* thread-local variable of all */

static bool of_system(const char *name) {
    static const char *const parts[] = {"/libc.so", "/libc-", "/ld-linux", "/libpthread", "vdso"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(name, parts[i]))
            return true;
    return false;
}

static int find_block(struct dl_phdr_info *info, size_t size, void *objects) {
    (void)size;
    bool main = (*(int *)objects)++ == 0, shared = false;
    for (int i = 0; i < info->dlpi_phnum; i++)
        shared |= info->dlpi_phdr[i].p_type == PT_INTERP;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_TLS || !info->dlpi_tls_data)
            continue;
        lowest = lowest && lowest < (char *)info->dlpi_tls_data ? lowest : info->dlpi_tls_data;
        if (!main && of_system(info->dlpi_name))
            vo_separate_library(info->dlpi_tls_data, p->p_memsz);
        if (!main && (of_system(info->dlpi_name) || count == BLOCKS))
            continue;
        if (main && !shared)
            fr_fail("the program is linked statically: its thread-local variables cannot be told from those of the C "
                    "library; link it without -static");
        blocks[main ? 0 : count++] = (struct block){
            info->dlpi_tls_data, p->p_memsz, (const char *)info->dlpi_addr + p->p_vaddr, p->p_filesz};
        all_bytes += p->p_memsz;
    }
    return 0;
}

void vo_tls_init(void) {
    int objects = 0;
    dl_iterate_phdr(find_block, &objects);
    if (all_bytes)
        vo_separate_init(lowest);
    if (blocks[0].bytes)
        fr_tls(blocks[0].low, blocks[0].bytes);
}

static void first_image(char *to) {
    for (int i = 0; i < count; i++) {
        if (blocks[i].first_bytes)
            memcpy(to, blocks[i].first_image, blocks[i].first_bytes);
        to += blocks[i].bytes;
    }
}

void vo_tls_prepare(int first, int threads) {
    for (int i = first; all_bytes && i < first + threads; i++) {
        if ((images[i] || vo_separate(i)) && !ended[i])
            continue;
        if (vo_own_threads && !images[i] && vo_separate_prepare(i)) {
            ended[i] = false;
            continue;
        }
        vo_free(images[i]);
        ended[i] = false;
        images[i] = vo_alloc(all_bytes);
        first_image(images[i]);
    }
}

/* The thread ends; another one gets its number. */
void vo_tls_forget(int thread) { ended[thread] = true; }

static void take_out(char *image) {
    for (int i = 0; i < count; image += blocks[i++].bytes)
        if (blocks[i].bytes)
            memcpy(image, blocks[i].low, blocks[i].bytes);
}

static void put_in(const char *image) {
    for (int i = 0; i < count; image += blocks[i++].bytes)
        if (blocks[i].bytes)
            memcpy(blocks[i].low, image, blocks[i].bytes);
}

void vo_tls_switch(int thread) {
    vo_separate_switch(thread);
    if (!all_bytes || thread == owner || vo_separate(thread))
        return;
    if (!images[owner])
        images[owner] = vo_alloc(all_bytes);
    take_out(images[owner]);
    put_in(images[thread]);
    owner = thread;
}

static bool swapped(const char *object) {
    for (int i = 0; i < count; i++)
        if ((size_t)(object - blocks[i].low) < blocks[i].bytes)
            return true;
    return false;
}

/* Where a thread-local variable is in an image. */
static char *in_image(char *image, const char *word) {
    for (int i = 0; i < count; image += blocks[i++].bytes)
        if ((size_t)(word - blocks[i].low) < blocks[i].bytes)
            return image + (word - blocks[i].low);
    return NULL;
}

extern void *__libc_stack_end __attribute__((weak, visibility("default")));

/* Words of what lies on the stack, or what follows it there: compilers do not say where it ends. */
int vo_tls_words(const void *data) {
    const void *here = __builtin_frame_address(0), *end = &__libc_stack_end ? __libc_stack_end : NULL;
    if (vo_on_fiber())
        end = vo_stack_top(vo_current->slot);
    if (data < here || data >= end)
        return 0;
    size_t words = (size_t)((const char *)end - (const char *)data) / sizeof(void *);
    return words < VO_HANDED ? (int)words : VO_HANDED;
}

/* Copyin and copyprivate hand threads the addresses of another one's variables, which here are the addresses of their own. So such addresses among
 * what is handed over are replaced by those of a copy, which is the caller's to free, NULL if there are none; before gets what the words were. */
void *vo_tls_freeze(void **words, int n, void **before) {
    char *image = NULL;
    for (int i = 0; all_bytes && i < n; i++) {
        if (before)
            before[i] = words[i];
        if (!swapped(words[i]))
            continue;
        if (!image)
            take_out(image = vo_alloc(all_bytes));
        words[i] = in_image(image, words[i]);
    }
    return image;
}

void vo_tls_thaw(void *image, void **words, int n, void *const *before) {
    for (int i = 0; i < n; i++)
        if (words[i] != before[i] && words[i] == in_image(image, before[i]))
            words[i] = before[i];
    vo_free(image);
}

/* Destructors of C++ thread-local objects. The C library would run those of all virtual threads; as with threads that
 * are still there when the program ends, those of the one that calls exit are run. */
struct destructor {
    struct destructor *next;
    void (*run)(void *);
    void *object;
};
static struct destructor *destructors[VO_THREADS];

/* The C library's, where it has one. */
static int of_library(void (*run)(void *), void *object, void *library) {
    static int (*real)(void (*)(void *), void *, void *);
    if (!real)
        real = (int (*)(void (*)(void *), void *, void *))dlsym(RTLD_NEXT, "__cxa_thread_atexit_impl");
    return real ? real(run, object, library) : -1;
}

void vo_tls_end(void) {
    struct destructor *d;
    while ((d = destructors[vo_current->thread])) {
        destructors[vo_current->thread] = d->next;
        d->run(d->object);
        vo_free(d);
    }
}

static void run_destructors(void *unused) {
    (void)unused;
    vo_tls_end();
}

/* What C++ calls; Rust and its kind call the second, which the C library has. */
__attribute__((visibility("default"))) int __cxa_thread_atexit(void (*run)(void *), void *object, void *library) {
    static bool registered;
    if (!vo_own_threads && !swapped(object) && !vo_is_local(object))
        return of_library(run, object, library);
    if (!registered)
        of_library(run_destructors, NULL, library);
    registered = true;
    struct destructor *d = vo_alloc(sizeof *d);
    *d = (struct destructor){destructors[vo_current->thread], run, object};
    destructors[vo_current->thread] = d;
    return 0;
}

__attribute__((visibility("default"))) int __cxa_thread_atexit_impl(void (*run)(void *), void *object, void *library);
int __cxa_thread_atexit_impl(void (*run)(void *), void *object, void *library) { return __cxa_thread_atexit(run, object, library); }
