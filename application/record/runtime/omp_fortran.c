/* omp_fortran.c - the omp_ functions as gfortran calls them: with an underscore behind, and arguments by reference. Of kind 8 there are some with _8_.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Those that tell of threads, and note who asked, are other names of C's (omp.c). A lock of omp_lock_kind is a word and one of omp_nest_lock_kind two, as in C. */
#include <stdint.h>

#include "team.h"

#define GIVES(NAME) \
    int NAME(void); \
    int NAME##_(void); \
    int NAME##_(void) { return NAME(); }

#define GIVES_BY(NAME) \
    int NAME(int); \
    int NAME##_(const int32_t *n); \
    int NAME##_(const int32_t *n) { return NAME(*n); } \
    int NAME##_8_(const int64_t *n); \
    int NAME##_8_(const int64_t *n) { return NAME((int)*n); }

#define SETS(NAME) \
    void NAME(int); \
    void NAME##_(const int32_t *n); \
    void NAME##_(const int32_t *n) { NAME(*n); } \
    void NAME##_8_(const int64_t *n); \
    void NAME##_8_(const int64_t *n) { NAME((int)*n); }

#define LOCKS(KIND) \
    void omp_init_##KIND(int32_t *); \
    void omp_init_##KIND##_(int32_t *lock); \
    void omp_init_##KIND##_(int32_t *lock) { omp_init_##KIND(lock); } \
    void omp_init_##KIND##_with_hint_(int32_t *lock); \
    void omp_init_##KIND##_with_hint_(int32_t *lock) { omp_init_##KIND(lock); } \
    void omp_destroy_##KIND(int32_t *); \
    void omp_destroy_##KIND##_(int32_t *lock); \
    void omp_destroy_##KIND##_(int32_t *lock) { omp_destroy_##KIND(lock); } \
    void omp_set_##KIND(int32_t *); \
    void omp_set_##KIND##_(int32_t *lock); \
    void omp_set_##KIND##_(int32_t *lock) { omp_set_##KIND(lock); } \
    void omp_unset_##KIND(int32_t *); \
    void omp_unset_##KIND##_(int32_t *lock); \
    void omp_unset_##KIND##_(int32_t *lock) { omp_unset_##KIND(lock); } \
    int omp_test_##KIND(int32_t *); \
    int omp_test_##KIND##_(int32_t *lock); \
    int omp_test_##KIND##_(int32_t *lock) { return omp_test_##KIND(lock); }

GIVES(omp_get_dynamic)
GIVES(omp_get_nested)
GIVES(omp_in_parallel)
GIVES(omp_get_thread_limit)
GIVES(omp_get_max_active_levels)
GIVES(omp_get_supported_active_levels)
GIVES(omp_get_level)
GIVES(omp_get_active_level)
GIVES(omp_in_final)
GIVES(omp_get_cancellation)
GIVES(omp_get_proc_bind)
GIVES(omp_get_num_places)
GIVES(omp_get_place_num)
GIVES(omp_get_partition_num_places)
GIVES(omp_get_default_device)
GIVES(omp_get_num_devices)
GIVES(omp_get_num_teams)
GIVES(omp_get_team_num)
GIVES(omp_is_initial_device)
GIVES(omp_get_initial_device)
GIVES(omp_get_device_num)
GIVES(omp_get_max_task_priority)
GIVES(omp_get_max_teams)
GIVES(omp_get_teams_thread_limit)

GIVES_BY(omp_get_ancestor_thread_num)
GIVES_BY(omp_get_team_size)
GIVES_BY(omp_get_place_num_procs)

SETS(omp_set_num_threads)
SETS(omp_set_dynamic)
SETS(omp_set_nested)
SETS(omp_set_max_active_levels)
SETS(omp_set_default_device)
SETS(omp_set_num_teams)
SETS(omp_set_teams_thread_limit)

LOCKS(lock)
LOCKS(nest_lock)

double omp_get_wtime(void);
double omp_get_wtime_(void);
double omp_get_wtime_(void) { return omp_get_wtime(); }
double omp_get_wtick(void);
double omp_get_wtick_(void);
double omp_get_wtick_(void) { return omp_get_wtick(); }

void omp_set_schedule(unsigned, int);
void omp_set_schedule_(const int32_t *kind, const int32_t *chunk);
void omp_set_schedule_(const int32_t *kind, const int32_t *chunk) { omp_set_schedule((unsigned)*kind, *chunk); }
void omp_set_schedule_8_(const int32_t *kind, const int64_t *chunk);
void omp_set_schedule_8_(const int32_t *kind, const int64_t *chunk) { omp_set_schedule((unsigned)*kind, (int)*chunk); }

void omp_get_schedule(unsigned *, int *);
void omp_get_schedule_(int32_t *kind, int32_t *chunk);
void omp_get_schedule_(int32_t *kind, int32_t *chunk) {
    unsigned k;
    omp_get_schedule(&k, chunk);
    *kind = (int32_t)k;
}
void omp_get_schedule_8_(int32_t *kind, int64_t *chunk);
void omp_get_schedule_8_(int32_t *kind, int64_t *chunk) {
    int32_t n;
    omp_get_schedule_(kind, &n);
    *chunk = n;
}
