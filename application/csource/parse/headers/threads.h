#ifndef FORESEE_THREADS_H
#define FORESEE_THREADS_H
#include <time.h>
typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);
typedef struct {
  long words[5];
} mtx_t;
typedef struct {
  long words[6];
} cnd_t;
typedef unsigned int tss_t;
typedef int once_flag;
#define ONCE_FLAG_INIT 0
#define thread_local _Thread_local
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain, mtx_recursive, mtx_timed };
int thrd_create(thrd_t *, thrd_start_t, void *);
int thrd_join(thrd_t, int *);
int thrd_detach(thrd_t);
thrd_t thrd_current(void);
int thrd_sleep(const struct timespec *, struct timespec *);
void thrd_yield(void);
void thrd_exit(int);
int mtx_init(mtx_t *, int);
int mtx_lock(mtx_t *);
int mtx_trylock(mtx_t *);
int mtx_unlock(mtx_t *);
void mtx_destroy(mtx_t *);
int cnd_init(cnd_t *);
int cnd_wait(cnd_t *, mtx_t *);
int cnd_signal(cnd_t *);
int cnd_broadcast(cnd_t *);
void cnd_destroy(cnd_t *);
int tss_create(tss_t *, void (*)(void *));
void *tss_get(tss_t);
int tss_set(tss_t, void *);
void call_once(once_flag *, void (*)(void));
#endif
