/*
 * Finds the block of memory that an address lies in: one that malloc gave, a variable of the program, the first thread's stack.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* So many blocks are kept, and their places looked for at so many slots. Chosen: the rows of a hundred thousand lists. */
enum { BLOCKS = 1 << 18, SLOTS = 64, CLASSES = 48 };

struct block {
	char *begin; /* NULL of a slot that was never used */
	size_t bytes; /* 0 of one that was freed */
	unsigned long number; /* that no other block has */
};

/* Blocks by a hash of their class, the binary digits of their size, and of their begin without so many digits: an address is in the block of a class that begins
 * there, or one before. */
static struct block blocks[BLOCKS];
static long alive[CLASSES]; /* of each class */
static unsigned long blocks_given;

static struct block variables[1024]; /* arrays that malloc did not give */
static int variables_used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned slot(unsigned long key) { return key * 11400714819323198485ul >> 46; } /* below BLOCKS */

static unsigned slot_of(int class, unsigned long begins) { return slot(begins * CLASSES + class); }

/* holding is the block of malloc's that an address lies in. */
static struct block *holding(const char *p)
{
	for (int class = 0; class < CLASSES; class++) {
		if (!alive[class])
			continue;
		for (unsigned long begins = (unsigned long)p >> class, tries = 2; tries--; begins--) {
			unsigned i = slot_of(class, begins);
			for (int n = 0; n < SLOTS && blocks[i].begin; n++, i = (i + 1) % BLOCKS)
				if (blocks[i].begin <= p && p < blocks[i].begin + blocks[i].bytes)
					return &blocks[i];
		}
	}
	return NULL;
}

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

/* class_of counts the binary digits of a block's size, rounded up as malloc does, so that free finds it. */
static int class_of(void *p)
{
	int class = 64 - __builtin_clzl(malloc_usable_size(p) | 1);
	return class < CLASSES ? class : CLASSES - 1;
}

/* Of freed blocks the place is kept, as others may have been put behind it; a block that finds no place is not known. */
static void *given(void *p, size_t bytes)
{
	if (!p || !bytes)
		return p;
	int class = class_of(p);
	pthread_mutex_lock(&lock);
	unsigned i = slot_of(class, (unsigned long)p >> class);
	for (int n = 0; n < SLOTS; n++, i = (i + 1) % BLOCKS)
		if (!blocks[i].bytes) {
			blocks[i] = (struct block){p, bytes, ++blocks_given};
			alive[class]++;
			break;
		}
	pthread_mutex_unlock(&lock);
	return p;
}

static void freed(void *p)
{
	if (!p)
		return;
	int class = class_of(p);
	pthread_mutex_lock(&lock);
	unsigned i = slot_of(class, (unsigned long)p >> class);
	for (int n = 0; n < SLOTS && blocks[i].begin; n++, i = (i + 1) % BLOCKS)
		if (blocks[i].begin == p && blocks[i].bytes) {
			blocks[i].bytes = 0;
			alive[class]--;
			break;
		}
	pthread_mutex_unlock(&lock);
}

/* A child of a program with threads finds no lock taken. */
static void hold(void) { pthread_mutex_lock(&lock); }
static void release(void) { pthread_mutex_unlock(&lock); }
static void __attribute__((constructor)) before_main(void) { pthread_atfork(hold, release, release); }

void *malloc(size_t n) { return given(__libc_malloc(n), n); }
void *calloc(size_t n, size_t size) { return given(__libc_calloc(n, size), n * size); }
void *memalign(size_t align, size_t n) { return given(__libc_memalign(align, n), n); }
void *aligned_alloc(size_t align, size_t n) { return given(__libc_memalign(align, n), n); }

int posix_memalign(void **to, size_t align, size_t n)
{
	void *p = align % sizeof(void *) || align & (align - 1) || !align ? NULL : __libc_memalign(align, n);
	if (!p)
		return align % sizeof(void *) || align & (align - 1) || !align ? EINVAL : ENOMEM;
	*to = given(p, n);
	return 0;
}

void free(void *p)
{
	freed(p);
	__libc_free(p);
}

void *realloc(void *old, size_t n)
{
	freed(old); /* before another thread is given its place */
	return given(__libc_realloc(old, n), n);
}
#endif

extern char __executable_start[] __attribute__((weak)), __data_start[] __attribute__((weak)), _end[] __attribute__((weak));

/* left_of_variable is how many bytes a variable of the program has from an address on, by the symbols of its file; 0 where it is in none. */
static long long left_of_variable(const char *p)
{
	if (p < __executable_start || p >= _end)
		return 0;
	Dl_info info;
	long long found = 0;
	int file = -1;
	struct stat is;
	const char *all = MAP_FAILED;
	if (!dladdr(left_of_variable, &info) || !info.dli_fbase || (file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)) < 0)
		return 0;
	if (!fstat(file, &is))
		all = mmap(NULL, is.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	close(file);
	if (all == MAP_FAILED)
		return 0;
	const ElfW(Ehdr) *head = (const void *)all;
	const ElfW(Shdr) *sections = (const void *)(all + head->e_shoff);
	const char *base = head->e_type == ET_DYN ? info.dli_fbase : NULL;
	for (int i = 0; head->e_shoff && i < head->e_shnum; i++) {
		if (sections[i].sh_type != SHT_SYMTAB)
			continue;
		const ElfW(Sym) *symbols = (const void *)(all + sections[i].sh_offset);
		for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++) {
			const char *begin = base + symbols[k].st_value;
			if ((symbols[k].st_info & 15) == STT_OBJECT && p >= begin && p < begin + symbols[k].st_size)
				found = begin + symbols[k].st_size - p;
		}
	}
	munmap((void *)all, is.st_size);
	return found;
}

static const char *stack_begin; /* of the first thread; a page or more above what it calls */

static void __attribute__((constructor)) find_stack(void) { stack_begin = (const char *)__builtin_frame_address(0) + (1 << 16); }

extern void foresee_met(int, const char *, unsigned long, const char *);

/* foresee_where tells which of a region's pointers lead to one block of memory, all variables of the program or the first thread's stack, and how far they are
 * from one another. Of others it is known where they are the same. */
void foresee_where(int place, const char *p)
{
	const char *frame = __builtin_frame_address(0);
	struct block *b = holding(p);
	if (b)
		foresee_met(place, b->begin, b->number, p);
	else if (p >= __data_start && p < _end)
		foresee_met(place, __data_start, 0, p);
	else if (p > frame && p < stack_begin && stack_begin - frame < 1l << 33)
		foresee_met(place, stack_begin, 0, p);
	else
		foresee_met(place, p, 0, p);
}
