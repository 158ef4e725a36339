/* omp.h - the functions of OpenMP 5.0 that foresee's virtual OpenMP has, for C and C++.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FORESEE_OMP_H
#define FORESEE_OMP_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    void *words[1];
} omp_lock_t;

typedef struct {
    void *words[2];
} omp_nest_lock_t;

#ifdef __clang__
typedef void *omp_depend_t;
#else
typedef struct __attribute__((__aligned__(sizeof(void *)))) omp_depend_t {
    char words[2 * sizeof(void *)];
} omp_depend_t;
#endif

typedef enum omp_sched_t {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4,
    omp_sched_monotonic = 0x80000000U
} omp_sched_t;

typedef enum omp_proc_bind_t {
    omp_proc_bind_false = 0,
    omp_proc_bind_true = 1,
    omp_proc_bind_primary = 2,
    omp_proc_bind_master = 2,
    omp_proc_bind_close = 3,
    omp_proc_bind_spread = 4
} omp_proc_bind_t;

typedef enum omp_sync_hint_t {
    omp_sync_hint_none = 0,
    omp_lock_hint_none = 0,
    omp_sync_hint_uncontended = 1,
    omp_lock_hint_uncontended = 1,
    omp_sync_hint_contended = 2,
    omp_lock_hint_contended = 2,
    omp_sync_hint_nonspeculative = 4,
    omp_lock_hint_nonspeculative = 4,
    omp_sync_hint_speculative = 8,
    omp_lock_hint_speculative = 8
} omp_sync_hint_t;
typedef omp_sync_hint_t omp_lock_hint_t;

typedef enum omp_pause_resource_t { omp_pause_soft = 1, omp_pause_hard = 2 } omp_pause_resource_t;

typedef uintptr_t omp_uintptr_t;

#if defined(__cplusplus) && __cplusplus >= 201103L
#define FORESEE_OMP_HANDLE : omp_uintptr_t
#else
#define FORESEE_OMP_HANDLE
#endif

typedef enum omp_memspace_handle_t FORESEE_OMP_HANDLE {
    omp_default_mem_space = 0,
    omp_large_cap_mem_space = 1,
    omp_const_mem_space = 2,
    omp_high_bw_mem_space = 3,
    omp_low_lat_mem_space = 4,
    foresee_omp_memspace_max = UINTPTR_MAX
} omp_memspace_handle_t;

typedef enum omp_allocator_handle_t FORESEE_OMP_HANDLE {
    omp_null_allocator = 0,
    omp_default_mem_alloc = 1,
    omp_large_cap_mem_alloc = 2,
    omp_const_mem_alloc = 3,
    omp_high_bw_mem_alloc = 4,
    omp_low_lat_mem_alloc = 5,
    omp_cgroup_mem_alloc = 6,
    omp_pteam_mem_alloc = 7,
    omp_thread_mem_alloc = 8,
    foresee_omp_allocator_max = UINTPTR_MAX
} omp_allocator_handle_t;

typedef enum omp_alloctrait_key_t {
    omp_atk_sync_hint = 1,
    omp_atk_alignment = 2,
    omp_atk_access = 3,
    omp_atk_pool_size = 4,
    omp_atk_fallback = 5,
    omp_atk_fb_data = 6,
    omp_atk_pinned = 7,
    omp_atk_partition = 8
} omp_alloctrait_key_t;

typedef enum omp_alloctrait_value_t {
    omp_atv_false = 0,
    omp_atv_true = 1,
    omp_atv_contended = 3,
    omp_atv_uncontended = 4,
    omp_atv_serialized = 5,
    omp_atv_sequential = 5,
    omp_atv_private = 6,
    omp_atv_all = 7,
    omp_atv_thread = 8,
    omp_atv_pteam = 9,
    omp_atv_cgroup = 10,
    omp_atv_default_mem_fb = 11,
    omp_atv_null_fb = 12,
    omp_atv_abort_fb = 13,
    omp_atv_allocator_fb = 14,
    omp_atv_environment = 15,
    omp_atv_nearest = 16,
    omp_atv_blocked = 17,
    omp_atv_interleaved = 18
} omp_alloctrait_value_t;
#define omp_atv_default ((omp_uintptr_t)-1)

typedef struct omp_alloctrait_t {
    omp_alloctrait_key_t key;
    omp_uintptr_t value;
} omp_alloctrait_t;

#ifdef __cplusplus
extern "C" {
#define FORESEE_OMP_DEFAULT = omp_null_allocator
#if __cplusplus >= 201103L
#define FORESEE_OMP_NOTHROW noexcept
#else
#define FORESEE_OMP_NOTHROW throw()
#endif
#else
#define FORESEE_OMP_DEFAULT
#define FORESEE_OMP_NOTHROW __attribute__((__nothrow__))
#endif

void omp_set_num_threads(int threads) FORESEE_OMP_NOTHROW;
int omp_get_num_threads(void) FORESEE_OMP_NOTHROW;
int omp_get_max_threads(void) FORESEE_OMP_NOTHROW;
int omp_get_thread_num(void) FORESEE_OMP_NOTHROW;
int omp_get_num_procs(void) FORESEE_OMP_NOTHROW;
int omp_in_parallel(void) FORESEE_OMP_NOTHROW;
void omp_set_dynamic(int on) FORESEE_OMP_NOTHROW;
int omp_get_dynamic(void) FORESEE_OMP_NOTHROW;
void omp_set_nested(int on) FORESEE_OMP_NOTHROW;
int omp_get_nested(void) FORESEE_OMP_NOTHROW;
void omp_set_schedule(omp_sched_t kind, int chunk) FORESEE_OMP_NOTHROW;
void omp_get_schedule(omp_sched_t *kind, int *chunk) FORESEE_OMP_NOTHROW;
int omp_get_thread_limit(void) FORESEE_OMP_NOTHROW;
void omp_set_max_active_levels(int levels) FORESEE_OMP_NOTHROW;
int omp_get_max_active_levels(void) FORESEE_OMP_NOTHROW;
int omp_get_supported_active_levels(void) FORESEE_OMP_NOTHROW;
int omp_get_level(void) FORESEE_OMP_NOTHROW;
int omp_get_ancestor_thread_num(int level) FORESEE_OMP_NOTHROW;
int omp_get_team_size(int level) FORESEE_OMP_NOTHROW;
int omp_get_active_level(void) FORESEE_OMP_NOTHROW;
int omp_in_final(void) FORESEE_OMP_NOTHROW;
int omp_get_cancellation(void) FORESEE_OMP_NOTHROW;
int omp_get_max_task_priority(void) FORESEE_OMP_NOTHROW;

omp_proc_bind_t omp_get_proc_bind(void) FORESEE_OMP_NOTHROW;
int omp_get_num_places(void) FORESEE_OMP_NOTHROW;
int omp_get_place_num_procs(int place) FORESEE_OMP_NOTHROW;
void omp_get_place_proc_ids(int place, int *ids) FORESEE_OMP_NOTHROW;
int omp_get_place_num(void) FORESEE_OMP_NOTHROW;
int omp_get_partition_num_places(void) FORESEE_OMP_NOTHROW;
void omp_get_partition_place_nums(int *places) FORESEE_OMP_NOTHROW;
void omp_set_affinity_format(const char *format) FORESEE_OMP_NOTHROW;
size_t omp_get_affinity_format(char *text, size_t size) FORESEE_OMP_NOTHROW;
void omp_display_affinity(const char *format) FORESEE_OMP_NOTHROW;
size_t omp_capture_affinity(char *text, size_t size, const char *format) FORESEE_OMP_NOTHROW;
void omp_display_env(int verbose) FORESEE_OMP_NOTHROW;

void omp_init_lock(omp_lock_t *lock) FORESEE_OMP_NOTHROW;
void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint) FORESEE_OMP_NOTHROW;
void omp_destroy_lock(omp_lock_t *lock) FORESEE_OMP_NOTHROW;
void omp_set_lock(omp_lock_t *lock) FORESEE_OMP_NOTHROW;
void omp_unset_lock(omp_lock_t *lock) FORESEE_OMP_NOTHROW;
int omp_test_lock(omp_lock_t *lock) FORESEE_OMP_NOTHROW;
void omp_init_nest_lock(omp_nest_lock_t *lock) FORESEE_OMP_NOTHROW;
void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint) FORESEE_OMP_NOTHROW;
void omp_destroy_nest_lock(omp_nest_lock_t *lock) FORESEE_OMP_NOTHROW;
void omp_set_nest_lock(omp_nest_lock_t *lock) FORESEE_OMP_NOTHROW;
void omp_unset_nest_lock(omp_nest_lock_t *lock) FORESEE_OMP_NOTHROW;
int omp_test_nest_lock(omp_nest_lock_t *lock) FORESEE_OMP_NOTHROW;

double omp_get_wtime(void) FORESEE_OMP_NOTHROW;
double omp_get_wtick(void) FORESEE_OMP_NOTHROW;

int omp_is_initial_device(void) FORESEE_OMP_NOTHROW;
int omp_get_initial_device(void) FORESEE_OMP_NOTHROW;
int omp_get_default_device(void) FORESEE_OMP_NOTHROW;
void omp_set_default_device(int device) FORESEE_OMP_NOTHROW;
int omp_get_num_devices(void) FORESEE_OMP_NOTHROW;
int omp_get_device_num(void) FORESEE_OMP_NOTHROW;
int omp_get_num_teams(void) FORESEE_OMP_NOTHROW;
int omp_get_team_num(void) FORESEE_OMP_NOTHROW;
void omp_set_num_teams(int teams) FORESEE_OMP_NOTHROW;
int omp_get_max_teams(void) FORESEE_OMP_NOTHROW;
void omp_set_teams_thread_limit(int threads) FORESEE_OMP_NOTHROW;
int omp_get_teams_thread_limit(void) FORESEE_OMP_NOTHROW;
int omp_pause_resource(omp_pause_resource_t kind, int device) FORESEE_OMP_NOTHROW;
int omp_pause_resource_all(omp_pause_resource_t kind) FORESEE_OMP_NOTHROW;

omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space, int n,
                                          const omp_alloctrait_t traits[]) FORESEE_OMP_NOTHROW;
void omp_destroy_allocator(omp_allocator_handle_t allocator) FORESEE_OMP_NOTHROW;
void omp_set_default_allocator(omp_allocator_handle_t allocator) FORESEE_OMP_NOTHROW;
omp_allocator_handle_t omp_get_default_allocator(void) FORESEE_OMP_NOTHROW;
void *omp_alloc(size_t bytes, omp_allocator_handle_t allocator FORESEE_OMP_DEFAULT) FORESEE_OMP_NOTHROW;
void *omp_calloc(size_t n, size_t bytes, omp_allocator_handle_t allocator FORESEE_OMP_DEFAULT) FORESEE_OMP_NOTHROW;
void *omp_aligned_alloc(size_t align, size_t bytes,
                        omp_allocator_handle_t allocator FORESEE_OMP_DEFAULT) FORESEE_OMP_NOTHROW;
void *omp_aligned_calloc(size_t align, size_t n, size_t bytes,
                         omp_allocator_handle_t allocator FORESEE_OMP_DEFAULT) FORESEE_OMP_NOTHROW;
void *omp_realloc(void *p, size_t bytes, omp_allocator_handle_t to FORESEE_OMP_DEFAULT,
                  omp_allocator_handle_t from FORESEE_OMP_DEFAULT) FORESEE_OMP_NOTHROW;
void omp_free(void *p, omp_allocator_handle_t allocator FORESEE_OMP_DEFAULT) FORESEE_OMP_NOTHROW;

#ifdef __cplusplus
}
#endif

#endif
