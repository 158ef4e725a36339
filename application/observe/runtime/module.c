/* What modules of LLVM IR call that tell values: see told.h. */
#include "tables.h"
#include "told.h"

/* The last value of each place, and in which entry it was told, which what tells values looks at by itself: the complement where it told two in that entry, after
   which others say nothing new. */
enum { ALL = PLACES > 0 ? PLACES : 1 };
__thread unsigned long foresee_ir_entries[ALL];
__thread long long foresee_ir_values[ALL];

void foresee_ir_slowly(int place, long long value)
{
	unsigned long entry = foresee_entry + foresee_entry_of_main;
	foresee_ir_entries[place] = foresee_ir_entries[place] == entry ? ~entry : entry;
	foresee_ir_values[place] = value;
	foresee_value(place, value);
}

static void told(int place, long long value)
{
	unsigned long entry = foresee_entry + foresee_entry_of_main, was = foresee_ir_entries[place];
	if ((was != entry || foresee_ir_values[place] != value) && was != ~entry)
		foresee_ir_slowly(place, value);
}

/* Integers at an address, one after the other or apart, and those in rows whose addresses stand there, once in each entry for as long as it is the same address. */
typedef long long content_of(const volatile void *, int, int, int, int);
extern content_of foresee_members __attribute__((weak)), foresee_rows __attribute__((weak));
static __thread const void *arrays[ALL];

static void array(int place, const void *p, content_of *content, int first, int step, int size, int sign)
{
	unsigned long entry = foresee_entry + foresee_entry_of_main, was = foresee_ir_entries[place];
	if (was == ~entry || (was == entry && arrays[place] == p))
		return;
	arrays[place] = p;
	told(place, content ? content(p, first, step, size, sign) : 0);
}

void foresee_ir_table(int place, const void *p, int size, int sign) { array(place, p, foresee_members, 0, 0, size, sign); }
void foresee_ir_members(int place, const void *p, int first, int step, int size, int sign) { array(place, p, foresee_members, first, step, size, sign); }
void foresee_ir_rows(int place, const void *p, int first, int step, int size, int sign) { array(place, p, foresee_rows, first, step, size, sign); }

/* Where a pointer leads, once in each entry for as long as it is the same. */
extern void foresee_where(int, const char *) __attribute__((weak));

void foresee_ir_where(int place, long long value)
{
	unsigned long entry = foresee_entry + foresee_entry_of_main;
	foresee_ir_entries[place] = foresee_ir_entries[place] == entry ? ~entry : entry;
	foresee_ir_values[place] = value;
	if (foresee_where)
		foresee_where(place, (const char *)value);
}

/* The next number of those that an instruction gives. */
extern void foresee_in_order(int, long long);

void foresee_ir_in_order(int place, long long value) { foresee_in_order(place, value); }

/* The address that lies here, less the one in front of it. */
void foresee_ir_span(int place, char **here)
{
	told(place, here[0] - here[-1]);
}

/* An iteration of a loop begins; the loop is entered, or its function left, so that one that ended before is told. */
static __thread long long iterations[ALL];

void foresee_ir_iteration(int place) { iterations[place]++; }

void foresee_ir_iterations(int place)
{
	if (iterations[place]) {
		foresee_mean(place, iterations[place]);
		iterations[place] = 0;
	}
}

void foresee_ir_enter(int region) { foresee_enter(region); }

void foresee_ir_leave(int region)
{
	struct foresee_visit v = {region};
	foresee_leave(&v);
}
