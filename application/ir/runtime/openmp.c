/*
 * Stands in for clang's OpenMP library where that is not installed: a team has one thread, which does all the work. Names and arguments are those by which
 * clang calls its library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef void outlined(int *, int *, ...);

static int in_parallel;

static void give_up(const char *why)
{
	fprintf(stderr, "foresee: without clang's OpenMP library (libomp), which is not installed: %s\n", why);
	exit(1);
}

void __kmpc_fork_call(void *at, int n, void (*function)(int *, int *, ...), ...)
{
	__builtin_va_list given;
	void *a[32] = {0};
	int thread = 0, bound = 0;
	__builtin_va_start(given, function);
	for (int i = 0; i < n && i < 32; i++)
		a[i] = __builtin_va_arg(given, void *);
	__builtin_va_end(given);
	if (n > 32)
		give_up("a parallel region uses more than 32 variables");
	in_parallel++;
	((outlined *)function)(&thread, &bound, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16], a[17], a[18],
		a[19], a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29], a[30], a[31]);
	in_parallel--;
}

int __kmpc_global_thread_num(void *at) { return 0; }
void __kmpc_push_num_threads(void *at, int thread, int n) {}
void __kmpc_push_proc_bind(void *at, int thread, int kind) {}
void __kmpc_serialized_parallel(void *at, int thread) {}
void __kmpc_end_serialized_parallel(void *at, int thread) {}
void __kmpc_barrier(void *at, int thread) {}
int __kmpc_cancel_barrier(void *at, int thread) { return 0; }
int __kmpc_cancel(void *at, int thread, int kind) { return 0; }
int __kmpc_cancellationpoint(void *at, int thread, int kind) { return 0; }
void __kmpc_flush(void *at) {}
int __kmpc_master(void *at, int thread) { return 1; }
void __kmpc_end_master(void *at, int thread) {}
int __kmpc_masked(void *at, int thread, int filter) { return filter == 0; }
void __kmpc_end_masked(void *at, int thread) {}
int __kmpc_single(void *at, int thread) { return 1; }
void __kmpc_end_single(void *at, int thread) {}
void __kmpc_copyprivate(void *at, int thread, size_t size, void *data, void (*copy)(void *, void *), int did) {}
void __kmpc_critical(void *at, int thread, void *lock) {}
void __kmpc_critical_with_hint(void *at, int thread, void *lock, unsigned hint) {}
void __kmpc_end_critical(void *at, int thread, void *lock) {}
void __kmpc_ordered(void *at, int thread) {}
void __kmpc_end_ordered(void *at, int thread) {}
void __kmpc_doacross_init(void *at, int thread, int n, void *dims) {}
void __kmpc_doacross_wait(void *at, int thread, void *v) {}
void __kmpc_doacross_post(void *at, int thread, void *v) {}
void __kmpc_doacross_fini(void *at, int thread) {}
int __kmpc_reduce(void *at, int thread, int n, size_t size, void *data, void (*f)(void *, void *), void *lock) { return 1; }
void __kmpc_end_reduce(void *at, int thread, void *lock) {}
int __kmpc_reduce_nowait(void *at, int thread, int n, size_t size, void *data, void (*f)(void *, void *), void *lock) { return 1; }
void __kmpc_end_reduce_nowait(void *at, int thread, void *lock) {}
void *__kmpc_threadprivate_cached(void *at, int thread, void *data, size_t size, void ***cache) { return data; }
void __kmpc_threadprivate_register(void *at, void *data, void *make, void *copy, void *destroy) {}
void __kmpc_for_static_fini(void *at, int thread) {}

/* Worksharing loops: all iterations at once. */
#define LOOPS(suffix, type, signed_type) \
	void __kmpc_for_static_init_##suffix(void *at, int thread, int schedule, int *last, type *lower, type *upper, signed_type *stride, signed_type step, signed_type chunk) \
	{ \
		*last = 1; \
		*stride = *upper - *lower + step; \
	} \
	static struct { type lower, upper; signed_type step; int left; } dealt_##suffix[16]; \
	static int depth_##suffix; \
	void __kmpc_dispatch_init_##suffix(void *at, int thread, int schedule, type lower, type upper, signed_type step, signed_type chunk) \
	{ \
		if (depth_##suffix == 16) \
			give_up("loops are dealt in more than 16 others"); \
		dealt_##suffix[depth_##suffix].lower = lower; \
		dealt_##suffix[depth_##suffix].upper = upper; \
		dealt_##suffix[depth_##suffix].step = step; \
		dealt_##suffix[depth_##suffix++].left = step > 0 ? lower <= upper : lower >= upper; \
	} \
	int __kmpc_dispatch_next_##suffix(void *at, int thread, int *last, type *lower, type *upper, signed_type *step) \
	{ \
		if (!dealt_##suffix[depth_##suffix - 1].left) { \
			depth_##suffix--; \
			return 0; \
		} \
		dealt_##suffix[depth_##suffix - 1].left = 0; \
		*lower = dealt_##suffix[depth_##suffix - 1].lower; \
		*upper = dealt_##suffix[depth_##suffix - 1].upper; \
		*step = dealt_##suffix[depth_##suffix - 1].step; \
		*last = 1; \
		return 1; \
	} \
	void __kmpc_dispatch_fini_##suffix(void *at, int thread) {}
LOOPS(4, int, int)
LOOPS(4u, unsigned, int)
LOOPS(8, long long, long long)
LOOPS(8u, unsigned long long, long long)

/* Tasks run where they are made. */
struct task {
	void *shared;
	int (*run)(int, struct task *);
	int part;
};

void *__kmpc_omp_task_alloc(void *at, int thread, int flags, size_t size, size_t shared, int (*run)(int, struct task *))
{
	size = (size + 15) / 16 * 16;
	struct task *t = calloc(1, size + shared);
	if (!t)
		give_up("there is no memory for a task");
	t->shared = shared ? (char *)t + size : NULL;
	t->run = run;
	return t;
}

int __kmpc_omp_task(void *at, int thread, struct task *t)
{
	t->run(thread, t);
	free(t);
	return 0;
}

int __kmpc_omp_task_with_deps(void *at, int thread, struct task *t, int n, void *list, int m, void *others) { return __kmpc_omp_task(at, thread, t); }
void __kmpc_omp_task_begin_if0(void *at, int thread, struct task *t) {}
void __kmpc_omp_task_complete_if0(void *at, int thread, struct task *t) { free(t); }
void __kmpc_omp_wait_deps(void *at, int thread, int n, void *list, int m, void *others) {}
int __kmpc_omp_taskwait(void *at, int thread) { return 0; }
int __kmpc_omp_taskyield(void *at, int thread, int part) { return 0; }
void __kmpc_taskgroup(void *at, int thread) {}
void __kmpc_end_taskgroup(void *at, int thread) {}

int omp_get_thread_num(void) { return 0; }
int omp_get_num_threads(void) { return 1; }
int omp_get_max_threads(void) { return 1; }
int omp_get_num_procs(void) { return 1; }
int omp_get_thread_limit(void) { return 1; }
int omp_get_level(void) { return in_parallel; }
int omp_in_parallel(void) { return 0; }
int omp_get_dynamic(void) { return 0; }
int omp_get_nested(void) { return 0; }
int omp_get_num_devices(void) { return 0; }
int omp_is_initial_device(void) { return 1; }
void omp_set_num_threads(int n) {}
void omp_set_dynamic(int on) {}
void omp_set_nested(int on) {}
void omp_set_schedule(int kind, int chunk) {}
void omp_set_max_active_levels(int n) {}
void omp_init_lock(void **lock) { *lock = NULL; }
void omp_destroy_lock(void **lock) {}
void omp_set_lock(void **lock) {}
void omp_unset_lock(void **lock) {}
int omp_test_lock(void **lock) { return 1; }
void omp_init_nest_lock(void **lock) { *lock = NULL; }
void omp_destroy_nest_lock(void **lock) {}
void omp_set_nest_lock(void **lock) {}
void omp_unset_nest_lock(void **lock) {}

double omp_get_wtime(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

double omp_get_wtick(void) { return 1e-9; }
