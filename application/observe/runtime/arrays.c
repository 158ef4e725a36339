/*
 * Keeps arrays of integers that a program is asked for: each content once, by its hash, which stands for it where values are told. How long an array is
 * that lies behind a pointer is known where malloc gave it, or where it is a variable of the program.
 */
#include "blocks.c"
#include <stdio.h>
#include <string.h>

/* Bytes that are kept in all, elements of one array, and bytes that are looked at in all. Chosen: indices of a hundred million elements, as many as the
 * analysis takes, and a second or two. */
enum { MOST_BYTES = 1 << 28, MOST_ELEMENTS = 1 << 26 };
#define MOST_LOOKED ((size_t)1 << 31)
#define ALWAYS_LOOKED (MOST_LOOKED / 8)
enum { SYMBOLS = 1 << 18 }; /* bytes that looking for a variable counts for */

static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER; /* one content is looked at at a time */
static size_t looked; /* bytes, at contents and for blocks */

/* around is the block that an address lies in, and how many bytes of it are left behind the address. */
static struct block *around(const char *p, long long bytes, size_t *left)
{
	looked += sizeof *blocks * SLOTS;
	struct block *b = bytes ? NULL : holding(p);
	if (b) {
		*left = b->bytes - (p - b->begin);
		return b;
	}
	if (!bytes) {
		looked += SYMBOLS;
		bytes = left_of_variable(p);
	}
	if (bytes <= 0)
		return NULL;
	*left = bytes;
	for (int i = 0; i < variables_used; i++)
		if (variables[i].begin == p)
			return &variables[i];
	if (variables_used == sizeof variables / sizeof *variables)
		return NULL;
	variables[variables_used] = (struct block){(char *)p, bytes, 0};
	return &variables[variables_used++];
}

extern const char *foresee_path;
extern pid_t foresee_process;
static long long known[4096];
static int known_used;
static size_t kept;

/* hash is never 0, and positive. */
static long long hash(const unsigned char *p, size_t n, int size, int sign)
{
	unsigned long long h = 14695981039346656037ull ^ (unsigned long long)n << 8 ^ size << 1 ^ sign;
	size_t i = 0;
	for (; i + 8 <= n; i += 8) {
		unsigned long long w;
		memcpy(&w, p + i, 8);
		h = (h ^ w) * 1099511628211ull;
		h ^= h >> 29;
	}
	for (; i < n; i++)
		h = (h ^ p[i]) * 1099511628211ull;
	return (long long)(h >> 2 | 1);
}

/* put writes all bytes; false where it cannot. */
static int put(int file, const void *p, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		ssize_t n = write(file, (const char *)p + done, bytes - done);
		if (n <= 0 && errno != EINTR)
			return 0;
		done += n > 0 ? n : 0;
	}
	return 1;
}

/* keep writes a content, unless it was written before; false where it cannot. It takes no memory of malloc's, which would move the program's. */
static int keep(long long content, const void *p, size_t bytes, int size, int sign)
{
	static int file = -1;
	for (int i = 0; i < known_used; i++)
		if (known[i] == content)
			return 1;
	if (known_used == sizeof known / sizeof *known || kept + bytes > MOST_BYTES)
		return 0;
	if (getpid() != foresee_process)
		return 0; /* the file is the parent's */
	if (file < 0) {
		char name[4096];
		if (!foresee_path || snprintf(name, sizeof name, "%s.arrays", foresee_path) >= (int)sizeof name || (file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) < 0)
			return 0;
	}
	long long head[4] = {content, size, sign, (long long)(bytes / size)};
	if (!put(file, head, sizeof head) || !put(file, p, bytes / size * size))
		return 0;
	known[known_used++] = content;
	kept += bytes;
	return 1;
}

/* What was asked of an address, in which form, how often, and what stands for the content there. */
struct form {
	int rows;	 /* those in rows, whose addresses stand in the words first, first + step and so on */
	int first, step; /* without: those at the bytes first, first + step and so on behind the address */
	int size, sign;
};
static struct asked {
	const char *p;
	struct form form;
	struct block *in;
	unsigned long number, times;
	long long content;
} asked[256];
/* What is less leads nowhere: null, or the alignment of what Rust's empty vectors would hold. */
enum { NO_ADDRESS = 4096 };

static int inside(const struct block *b, const char *p) { return b && p >= b->begin && p < b->begin + b->bytes; }

/* rows_at keeps the memory from the first row to behind the end of the last one as one array, with 0 where no row's block lies, as much again as the longest block
 * behind it, and the address of its begin in front. Words behind the last row may be anything: what a vector has room for. */
static long long rows_at(const char *p, size_t words, const struct form *form)
{
	char *const *rows = (char *const *)p, *from = NULL, *to = NULL;
	size_t longest = 0;
	int lost = 0; /* a row before this one is in no block that is known */
	struct block *last = NULL;
	for (size_t i = form->first; i < words; i += form->step) {
		if ((size_t)rows[i] < NO_ADDRESS)
			continue;
		size_t left;
		if (looked > MOST_LOOKED)
			return 0;
		struct block *b = inside(last, rows[i]) ? last : around(rows[i], 0, &left);
		if (!b) {
			lost = 1;
			continue;
		}
		if (lost)
			return 0;
		last = b;
		from = !from || rows[i] < from ? rows[i] : from;
		to = b->begin + b->bytes > to ? b->begin + b->bytes : to;
		longest = b->bytes > longest ? b->bytes : longest;
	}
	from = (char *)((unsigned long)from & ~63ul);
	if (!from || (size_t)(to - from) + longest > MOST_BYTES / 4)
		return 0;
	for (size_t i = form->first; lost && i < words; i += form->step) { /* none of them may seem to be among the others */
		size_t left;
		if (rows[i] >= from && rows[i] < to + longest && !around(rows[i], 0, &left))
			return 0;
	}
	size_t bytes = (to - from + longest + 7) / 8 * 8 + 8;
	char *all = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED)
		return 0;
	looked += bytes;
	memcpy(all, &from, 8);
	last = NULL;
	for (size_t i = form->first; i < words; i += form->step) {
		size_t left;
		if ((size_t)rows[i] < NO_ADDRESS || inside(last, rows[i]))
			continue;
		struct block *b = around(rows[i], 0, &left);
		if (!b || b->begin + b->bytes > to)
			break;
		last = b;
		char *begin = b->begin < from ? from : b->begin;
		memcpy(all + 8 + (begin - from), begin, b->begin + b->bytes - begin);
	}
	long long content = hash((unsigned char *)all, bytes, form->size, form->sign);
	if (!keep(content, all, bytes, form->size, form->sign))
		content = 0;
	munmap(all, bytes);
	return content;
}

/* members_at keeps the integers that lie so far apart from one another. */
static long long members_at(const char *p, size_t left, const struct form *form)
{
	size_t first = form->first, size = form->size, n = left < first + size ? 0 : (left - first - size) / form->step + 1;
	char *all = n ? mmap(NULL, n * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : MAP_FAILED;
	if (all == MAP_FAILED)
		return 0;
	for (size_t i = 0; i < n; i++)
		memcpy(all + i * size, p + first + i * form->step, size);
	long long content = hash((unsigned char *)all, n * size, form->size, form->sign);
	if (!keep(content, all, n * size, form->size, form->sign))
		content = 0;
	munmap(all, n * size);
	return content;
}

/* content_at is what stands for what lies at an address now. */
static long long content_at(struct asked *a, const char *p, long long bytes)
{
	size_t left = 0;
	int size = a->form.size, sign = a->form.sign;
	if (looked > MOST_LOOKED)
		return 0;
	a->in = around(p, bytes, &left);
	if (!a->in || left < (size_t)size || left / size > MOST_ELEMENTS)
		return 0;
	looked += left;
	a->number = a->in->number;
	if (a->form.rows)
		return rows_at(p, left / sizeof(char *), &a->form);
	if (a->form.step > size)
		return members_at(p, left, &a->form);
	left -= left % size;
	long long content = hash((const unsigned char *)p, left, size, sign);
	return keep(content, p, left, size, sign) ? content : 0;
}

/* content_of is content_at, where it was not asked for too often: of an address that is asked for again and again the content is looked at each time, until so much
 * was looked at in all that the program would get slow, and then the first times, and each time that it was asked for twice as often. */
static long long content_of(const char *p, struct form form, long long bytes)
{
	if (!p)
		return 0;
	pthread_mutex_lock(&once);
	struct asked *a = &asked[(slot(p) + 31 * form.first + 7 * form.step + form.size + form.sign) % 256];
	if (a->p != p || memcmp(&a->form, &form, sizeof form) || !a->in || !a->in->bytes || a->in->number != a->number) {
		a->p = p;
		a->form = form;
		a->times = 0;
	}
	unsigned long n = ++a->times;
	if (n <= 4 || looked < ALWAYS_LOOKED || (n & (n - 1)) == 0)
		a->content = content_at(a, p, bytes);
	long long content = a->content;
	pthread_mutex_unlock(&once);
	return content;
}

/* foresee_content is what stands for some integers; 0 where there were too many. */
long long foresee_content(const void *all, size_t bytes, int size, int sign)
{
	if (looked > MOST_LOOKED)
		return 0;
	pthread_mutex_lock(&once);
	looked += bytes;
	long long content = hash(all, bytes, size, sign);
	if (!keep(content, all, bytes, size, sign))
		content = 0;
	pthread_mutex_unlock(&once);
	return content;
}

/* foresee_table is what stands for the content of an array from an address on; 0 where it is not known, or too long. */
long long foresee_table(const volatile void *address, int size, long long bytes, int sign)
{
	return content_of((const char *)address, (struct form){0, 0, 0, size, sign}, bytes);
}

/* foresee_rows is what stands for the integers in rows, whose addresses are the words first, first + step and so on behind an address; 0 where it is not known. */
long long foresee_rows(const volatile void *address, int first, int step, int size, int sign)
{
	return content_of((const char *)address, (struct form){1, first, step, size, sign}, 0);
}

/* foresee_members is what stands for the integers at the bytes first, first + step and so on behind an address, without a step of those one after
 * the other; 0 where it is not known. */
long long foresee_members(const volatile void *address, int first, int step, int size, int sign)
{
	return content_of((const char *)address, (struct form){0, first, step, size, sign}, 0);
}
