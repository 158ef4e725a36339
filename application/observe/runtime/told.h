#ifndef FORESEE_TELL
/* Stands before each file that tells values. It names nothing of the program's, and no header. */
struct foresee_site {
	unsigned long entry;
	long long value;
};
struct foresee_visit {
	int region;
};
extern __thread unsigned long foresee_entry;
extern volatile unsigned long foresee_entry_of_main;
extern void foresee_value(int, long long);
extern void foresee_mean(int, long long);
extern long long foresee_table(const volatile void *, int, long long, int);
extern void foresee_enter(int);
extern void foresee_leave(struct foresee_visit *);

/* A value that this thread told since it, or the first thread, entered a region last is not told again. */
static __inline__ __attribute__((unused)) void foresee_tell(struct foresee_site *site, int place, long long value)
{
	unsigned long entry = foresee_entry + foresee_entry_of_main;
	if (site->entry != entry || site->value != value) {
		site->entry = entry;
		site->value = value;
		foresee_value(place, value);
	}
}

static __inline__ __attribute__((unused)) struct foresee_visit foresee_visit(int region)
{
	struct foresee_visit v;
	v.region = region;
	foresee_enter(region);
	return v;
}

struct foresee_loop {
	int place;
	long long iterations;
};
extern void foresee_looped(struct foresee_loop *);

/* The iterations of a loop are told where the block ends that it stands in. */
#define FORESEE_COUNT(place) struct foresee_loop foresee_loop_##place __attribute__((cleanup(foresee_looped), unused)) = {place, 0};
#define FORESEE_COUNTED(place) foresee_loop_##place.iterations++;
/* Likewise before a body that is no block. */
#define FORESEE_COUNTED_IN(place) if (foresee_loop_##place.iterations++, 1)
#define FORESEE_ENTER(region) struct foresee_visit foresee_visiting __attribute__((cleanup(foresee_leave), unused)) = foresee_visit(region);
#define FORESEE_TELL(place, value) { static __thread struct foresee_site foresee_here; foresee_tell(&foresee_here, place, (long long)(value)); }
#endif
