/* arena.c - memory of the virtual OpenMP, apart from the program's heap: what the runtime needs must not move what
 * the program allocates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

#include "fiber.h"

enum {
    HEADER = 64,           /* keeps blocks aligned for any vector */
    SMALLEST = 7,          /* log2 of the smallest block */
    LARGEST = 18,          /* log2 of the largest block cut from an arena; larger ones are mapped one by one */
    ARENA_BYTES = 4 << 20,
};
static const uintptr_t arena_hint = 0x610000000000; /* far from heap and libraries, the same in every run */

struct header {
    struct header *next; /* in a free list */
    size_t bytes;        /* of a block mapped alone, else 0 */
    int class;
};
_Static_assert(sizeof(struct header) <= HEADER, "a header takes the room before a block");

static struct header *free_blocks[LARGEST + 1];
static char *arena, *arena_end;

void *vo_map(uintptr_t hint, size_t bytes, int protection, const char *what) {
    void *p = mmap((void *)hint, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        fr_fail(what);
    return p;
}

static struct header *cut(int class) {
    size_t bytes = (size_t)1 << class;
    if (!arena || (size_t)(arena_end - arena) < bytes) {
        arena = vo_map(arena_hint, ARENA_BYTES, PROT_READ | PROT_WRITE, "no memory left for the virtual OpenMP");
        arena_end = arena + ARENA_BYTES;
    }
    struct header *h = (struct header *)arena;
    arena += bytes;
    return h;
}

static int class_of(size_t bytes) {
    int class = SMALLEST;
    while (((size_t)1 << class) < bytes)
        class++;
    return class;
}

void *vo_alloc(size_t bytes) {
    bytes += HEADER;
    if (bytes > (size_t)1 << LARGEST) {
        struct header *h = vo_map(arena_hint, bytes, PROT_READ | PROT_WRITE, "no memory left for the virtual OpenMP");
        h->bytes = bytes;
        return (char *)h + HEADER;
    }
    int class = class_of(bytes);
    struct header *h = free_blocks[class];
    if (h)
        free_blocks[class] = h->next;
    else
        h = cut(class);
    memset(h, 0, bytes);
    h->class = class;
    return (char *)h + HEADER;
}

void vo_free(void *memory) {
    if (!memory)
        return;
    struct header *h = (struct header *)((char *)memory - HEADER);
    if (h->bytes) {
        munmap(h, h->bytes);
        return;
    }
    h->next = free_blocks[h->class];
    free_blocks[h->class] = h;
}
