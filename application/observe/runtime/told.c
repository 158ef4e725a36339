/*
 * Keeps, for each region, with which values it was entered and how often, and writes that at the end of the program. tables.h, which is made for
 * each program, says how many regions and places there are and how many values the regions want in all (REGIONS, PLACES, SLOTS), how many groups of values are kept of a region (GROUPS), how many each wants and where its first is (wants, first),
 * which are entered by a team of threads together (team),
 * and for each place the regions that want it and where (wanted_by, MOST of them at most).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "tables.h"

/* Entries after which one in SPARSE is looked at. */
enum { MANY = 1 << 16, SPARSE = 64 };

struct slot {
	long long value, least, most;
	long long sum, times; /* of what has a mean */
	unsigned char told;
};
/* What a slot holds: nothing, a value, several, of which none stands for the others, and the mean of several. */
enum { UNTOLD, ONE, SEVERAL, MEAN };
/* grown is memory with more room. Blocks of malloc would move those of the program. */
static void *grown(void *p, size_t was, size_t bytes)
{
	p = p ? mremap(p, was, bytes, MREMAP_MAYMOVE) : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

/* So many pieces of memory are told apart. Chosen: more than functions have arrays. */
enum { PIECES = 16, PIECE_SHIFT = 48 };
struct piece {
	const char *base, *first;
	unsigned long number;
};
struct state {
	int depth, idle;
	int pieces; /* of memory that its pointers were met in since it was entered */
	struct piece met[PIECES];
	int follows; /* another thread of the team is counted */
	unsigned long entries;
	int last; /* group, from 1 on */
};

__thread unsigned long foresee_entry = 1;
volatile unsigned long foresee_entry_of_main;
extern int omp_get_thread_num(void) __attribute__((weak));
static __thread struct state here[REGIONS];
static __thread struct slot told[SLOTS]; /* those of a region begin at first[region] */
static struct state *of_main;
static struct slot *told_main;
static unsigned long count[REGIONS][GROUPS];
static struct slot kept[GROUPS][SLOTS];
static int used[REGIONS];
static int at[REGIONS][2 * GROUPS]; /* groups by the hash of their values, from 1 on */
static unsigned long entries[REGIONS], other[REGIONS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pid_t foresee_process;
const char *foresee_path;

static int same(const struct slot *a, const struct slot *b, int n)
{
	for (int i = 0; i < n; i++)
		if (a[i].told != b[i].told || (a[i].told != SEVERAL && a[i].value != b[i].value))
			return 0;
	return 1;
}

static unsigned hash(const struct slot *a, int n)
{
	unsigned long long h = 14695981039346656037ull;
	for (int i = 0; i < n; i++)
		h = (h ^ (a[i].told == ONE || a[i].told == MEAN ? (unsigned long long)a[i].value : ~0ull - a[i].told)) * 1099511628211ull;
	return (h ^ h >> 32) % (2 * GROUPS);
}

/* find is where the group of some values is or is to be; -1 where there are too many. */
static int find(int region, const struct slot *slots, int n)
{
	unsigned h = hash(slots, n);
	for (; at[region][h]; h = (h + 1) % (2 * GROUPS))
		if (same(&kept[at[region][h] - 1][first[region]], slots, n))
			return at[region][h] - 1;
	if (used[region] == GROUPS)
		return -1;
	memcpy(&kept[used[region]][first[region]], slots, n * sizeof *slots);
	at[region][h] = ++used[region];
	return used[region] - 1;
}

/* lower sets a number to another one, which is less by a sign. Threads may do so at once. */
static void lower(long long *p, long long value, int sign)
{
	long long was = __atomic_load_n(p, __ATOMIC_RELAXED);
	while (sign * value < sign * was && !__atomic_compare_exchange_n(p, &was, value, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* tell_mean is tell of a number whose mean stands for all. */
static void tell_mean(struct slot *t, long long value)
{
	__atomic_fetch_add(&t->sum, value, __ATOMIC_RELAXED);
	__atomic_fetch_add(&t->times, 1, __ATOMIC_RELAXED);
	lower(&t->least, value, 1);
	lower(&t->most, value, -1);
	t->told = MEAN;
}

/* average makes the mean of what was told. */
static void average(struct slot *t)
{
	if (t->told == MEAN && t->times > 0) {
		t->value = (t->sum + t->times / 2) / t->times;
		t->told = t->least == t->most ? ONE : MEAN;
	}
}

/* keep counts an entry with the values that were told since. */
static void keep(int region, struct state *s, struct slot *slots)
{
	int n = wants[region], g = s->last - 1;
	for (int i = 0; i < n; i++)
		average(&slots[i]);
	if (g < 0 || !same(&kept[g][first[region]], slots, n)) {
		pthread_mutex_lock(&lock);
		g = find(region, slots, n);
		if (g < 0)
			other[region]++; /* its values are not kept */
		s->last = g + 1;
		pthread_mutex_unlock(&lock);
		if (g < 0)
			return;
	}
	__atomic_fetch_add(&count[region][g], 1, __ATOMIC_RELAXED);
}

void foresee_enter(int region)
{
	struct state *s = &here[region];
	if (s->depth++ > 0)
		return;
	s->follows = team[region] && omp_get_thread_num && omp_get_thread_num() > 0;
	if (!s->follows)
		__atomic_fetch_add(&entries[region], 1, __ATOMIC_RELAXED);
	s->idle = s->entries++ > MANY && s->entries % SPARSE;
	if (s->idle)
		return;
	for (int i = 0; i < wants[region]; i++)
		told[first[region] + i] = (struct slot){.least = LLONG_MAX, .most = LLONG_MIN};
	s->pieces = 0;
	foresee_entry++;
	if (here == of_main)
		foresee_entry_of_main++;
}

static void tell(struct slot *t, long long value)
{
	if (!t->told) {
		t->value = t->least = t->most = value;
		t->told = ONE;
	} else if (t->value != value) {
		t->told = SEVERAL;
		t->least = value < t->least ? value : t->least;
		t->most = value > t->most ? value : t->most;
	}
}

static void tell_place(int place, long long value, void (*how)(struct slot *, long long))
{
	for (int i = 0; i < MOST && wanted_by[place][i].region >= 0; i++) {
		int region = wanted_by[place][i].region;
		struct state *s = &here[region];
		struct slot *t = &told[wanted_by[place][i].slot];
		if (s->depth == 0 && of_main) { /* another thread works for it */
			s = &of_main[region];
			t = &told_main[wanted_by[place][i].slot];
		}
		if (s->depth > 0 && !s->idle)
			how(t, value);
	}
}

void foresee_value(int place, long long value)
{
	tell_place(place, value, tell);
}

/* foresee_met tells in which of the pieces of memory that a region's pointers lead to one of them lies, by the order in which they were met, and how far
 * behind the first pointer that was met there: so that it says the same whichever pieces these are. */
void foresee_met(int place, const char *base, unsigned long number, const char *p)
{
	for (int i = 0; i < MOST && wanted_by[place][i].region >= 0; i++) {
		struct state *s = &here[wanted_by[place][i].region];
		if (s->depth == 0 || s->idle)
			continue;
		int k = 0;
		while (k < s->pieces && (s->met[k].base != base || s->met[k].number != number))
			k++;
		if (k == PIECES)
			continue;
		if (k == s->pieces)
			s->met[s->pieces++] = (struct piece){base, p, number};
		tell(&told[wanted_by[place][i].slot], ((long long)(k + 1) << PIECE_SHIFT) + (p - s->met[k].first));
	}
}

/* The numbers that came one after the other at a place, by the slots of the regions that want them. */
static __thread struct sequence {
	long long *all;
	size_t used, room;
	int lost; /* there were too many */
} *sequences;

/* Numbers at one place, and at all by all threads. Chosen: as many as are looked at one by one, and 256 MiB. */
enum { MOST_IN_ORDER = 1 << 22, MOST_OF_ALL = 1 << 25 };
static size_t room_of_all;
static pthread_key_t of_thread;
extern long long foresee_content(const void *, size_t, int, int) __attribute__((weak));

/* release gives back what a thread that ends had. */
static void release(void *all)
{
	struct sequence *q = all;
	for (int i = 0; i < SLOTS; i++)
		if (q[i].all) {
			munmap(q[i].all, q[i].room * sizeof *q[i].all);
			__atomic_fetch_sub(&room_of_all, q[i].room, __ATOMIC_RELAXED);
		}
	munmap(all, SLOTS * sizeof *q);
	sequences = NULL;
}

void foresee_in_order(int place, long long value)
{
	if (!sequences) {
		if (!(sequences = grown(NULL, 0, SLOTS * sizeof *sequences)))
			return;
		pthread_setspecific(of_thread, sequences);
	}
	for (int i = 0; i < MOST && wanted_by[place][i].region >= 0; i++) {
		struct state *s = &here[wanted_by[place][i].region];
		struct sequence *q = &sequences[wanted_by[place][i].slot];
		if (s->depth == 0 || s->idle || q->lost)
			continue;
		if (q->used == q->room) {
			size_t room = q->room ? 2 * q->room : 4096;
			int many = room > MOST_IN_ORDER || __atomic_load_n(&room_of_all, __ATOMIC_RELAXED) + room - q->room > MOST_OF_ALL;
			long long *more = many ? NULL : grown(q->all, q->room * sizeof *more, room * sizeof *more);
			if (!more) {
				q->lost = 1;
				continue;
			}
			__atomic_fetch_add(&room_of_all, room - q->room, __ATOMIC_RELAXED);
			q->all = more;
			q->room = room;
		}
		q->all[q->used++] = value;
	}
}

/* finish tells what came in order since a region was entered, where the entry is kept. */
static void finish(int region, int kept)
{
	for (int i = 0; sequences && i < wants[region]; i++) {
		struct sequence *q = &sequences[first[region] + i];
		if (kept && q->used > 0 && foresee_content)
			tell(&told[first[region] + i], q->lost ? 0 : foresee_content(q->all, q->used * sizeof *q->all, sizeof *q->all, 1));
		q->used = 0;
		q->lost = 0;
	}
}

struct foresee_visit {
	int region;
};

void foresee_leave(struct foresee_visit *v)
{
	struct state *s = &here[v->region];
	if (--s->depth > 0)
		return;
	int kept = !s->idle && !s->follows;
	finish(v->region, kept);
	if (kept)
		keep(v->region, s, &told[first[v->region]]);
}

struct foresee_loop {
	int place;
	long long iterations;
};

/* foresee_mean tells a number whose mean stands for all that are told in one entry. */
void foresee_mean(int place, long long value)
{
	tell_place(place, value, tell_mean);
}

void foresee_looped(struct foresee_loop *l)
{
	if (l->place >= 0 && l->place < PLACES)
		foresee_mean(l->place, l->iterations);
}

/* The program's arguments, each with its zero, as they were before it could change them. */
static char *arguments;
static size_t bytes_of_arguments;

static void keep_arguments(void)
{
	int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	size_t room = 0;
	for (ssize_t n = 1; file >= 0 && n > 0; bytes_of_arguments += n > 0 ? n : 0) {
		if (bytes_of_arguments == room) {
			char *more = grown(arguments, room, room ? 2 * room : 4096);
			if (!more)
				break;
			arguments = more;
			room = room ? 2 * room : 4096;
		}
		n = read(file, arguments + bytes_of_arguments, room - bytes_of_arguments);
	}
	if (file >= 0)
		close(file);
}

__attribute__((constructor)) static void begin(void)
{
	keep_arguments();
	pthread_key_create(&of_thread, release);
	foresee_process = getpid();
	of_main = here;
	told_main = told;
	foresee_path = getenv("FORESEE_TOLD");
	unsetenv("FORESEE_TOLD");
}

__attribute__((destructor)) static void end(void)
{
	if (!foresee_path || getpid() != foresee_process)
		return;
	FILE *f = fopen(foresee_path, "w");
	if (!f)
		return;
	for (size_t i = 0; i < bytes_of_arguments; i++) {
		if (i == 0 || !arguments[i - 1])
			fprintf(f, "argument x");
		if (arguments[i])
			fprintf(f, "%02x", (unsigned char)arguments[i]);
		else
			fprintf(f, "\n");
	}
	for (int r = 0; r < REGIONS; r++)
		if (of_main[r].depth > 0 && !of_main[r].idle) {
			if (of_main == here)
				finish(r, 1);
			keep(r, &of_main[r], &told_main[first[r]]);
		}
	for (int r = 0; r < REGIONS; r++) {
		fprintf(f, "region %d %lu %lu\n", r, entries[r], other[r]);
		for (int g = 0; g < used[r]; g++) {
			fprintf(f, "group %lu", count[r][g]);
			for (int i = 0; i < wants[r]; i++) {
				struct slot *t = &kept[g][first[r] + i];
				if (!t->told)
					fprintf(f, " -");
				else if (t->told == ONE)
					fprintf(f, " %lld", t->value);
				else if (t->told == MEAN)
					fprintf(f, " %lld~%lld..%lld", t->value, t->least, t->most);
				else
					fprintf(f, " %lld..%lld", t->least, t->most);
			}
			fprintf(f, "\n");
		}
	}
	fprintf(f, "end\n");
	fclose(f);
}
