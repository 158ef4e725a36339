/* stress.c - random small programs of threads, each of which has one result whatever the order in which its threads come.
 *
 * stress FIRST COUNT prints a line for each of the programs FIRST … FIRST + COUNT - 1. A program has rounds; in each, every thread does a
 * few random things, and all meet at the end. None can deadlock: several locks are taken in one order, who waits for something waits for what is done
 * before anybody waits. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 6, LOCKS = 4, ACTS = 14, ENDS = 4 };

struct program {
    uint64_t seed;
    int threads, rounds, acts, start, end;
    pthread_mutex_t mutex[LOCKS], recursive;
    pthread_rwlock_t shared;
    pthread_spinlock_t spin;
    pthread_barrier_t barrier;
    pthread_cond_t changed, all;
    pthread_mutex_t queue;
    sem_t tokens, done;
    mtx_t c11;
    int made, taken, met, round;
    long under[LOCKS], deep, written, spun, tokened, eleven;
    atomic_long added, compared, sense, arrived;
    atomic_int ball[MOST];
    long own[MOST];
    pthread_key_t key;
    atomic_long ended;
};

static __thread long local;

/* What waits for memory in a loop makes no call, unless one is given: on few processors real threads wait long for one another. */
#ifndef RELAX
#define RELAX (void)0
#endif

static uint64_t next(uint64_t *s) {
    uint64_t z = (*s += 0x9E3779B97F4A7C15u); /* splitmix64 */
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static long work(long n) {
    volatile long s = 0;
    for (long i = 0; i < n; i++)
        s += i ^ n;
    return s;
}

static void locks(struct program *p, uint64_t r) {
    int set = r % 15 + 1;
    for (int i = 0; i < LOCKS; i++)
        if (set >> i & 1) {
            struct timespec at = {time(NULL) + 1000, 0};
            switch (r >> (8 + 2 * i) & 3) {
            case 0: while (pthread_mutex_trylock(&p->mutex[i])) sched_yield(); break;
            case 1: if (pthread_mutex_timedlock(&p->mutex[i], &at)) abort(); break;
            default: pthread_mutex_lock(&p->mutex[i]);
            }
        }
    for (int i = 0; i < LOCKS; i++)
        if (set >> i & 1) {
            p->under[i] += (long)(r >> 20 & 7) + 1;
            if (r >> 30 & 1)
                sched_yield();
        }
    for (int i = LOCKS - 1; i >= 0; i--)
        if (set >> i & 1)
            pthread_mutex_unlock(&p->mutex[i]);
}

static void *child(void *of) {
    struct program *p = of;
    local += 3;
    atomic_fetch_add(&p->added, local);
    pthread_mutex_lock(&p->mutex[0]);
    p->under[0]++;
    pthread_mutex_unlock(&p->mutex[0]);
    return (void *)(local + 4);
}

static void *detached(void *of) {
    child(of);
    sem_post(&((struct program *)of)->done);
    return NULL;
}

static int eleven(void *of) {
    struct program *p = of;
    mtx_lock(&p->c11);
    p->eleven += 2;
    mtx_unlock(&p->c11);
    return 5;
}

static void spawn(struct program *p, int me, uint64_t r) {
    pthread_t t;
    thrd_t u;
    void *got = NULL;
    int result = 0;
    switch (r % 3) {
    case 0:
        if (pthread_create(&t, NULL, child, p) || pthread_join(t, &got))
            abort();
        p->own[me] += (long)got;
        break;
    case 1:
        if (pthread_create(&t, NULL, detached, p) || pthread_detach(t))
            abort();
        sem_wait(&p->done);
        break;
    default:
        if (thrd_create(&u, eleven, p) != thrd_success || thrd_join(u, &result) != thrd_success)
            abort();
        p->own[me] += result;
    }
}

static void act(struct program *p, int me, uint64_t r) {
    switch (r % ACTS) {
    case 0: p->own[me] += work((long)(r >> 8 & 1023)); break;
    case 1: locks(p, r >> 8); break;
    case 2:
        pthread_mutex_lock(&p->recursive), pthread_mutex_lock(&p->recursive);
        p->deep += 5;
        pthread_mutex_unlock(&p->recursive), pthread_mutex_unlock(&p->recursive);
        break;
    case 3:
        if (r >> 8 & 1) {
            pthread_rwlock_wrlock(&p->shared);
            p->written += 7;
        } else if (r >> 9 & 1) {
            pthread_rwlock_rdlock(&p->shared);
        } else {
            while (pthread_rwlock_tryrdlock(&p->shared)) sched_yield();
        }
        pthread_rwlock_unlock(&p->shared);
        break;
    case 4:
        for (int i = 0; i < 20; i++)
            pthread_spin_lock(&p->spin), p->spun++, pthread_spin_unlock(&p->spin);
        break;
    case 5: atomic_fetch_add(&p->added, (long)(r >> 8 & 255)); break;
    case 6:
        for (long v = atomic_load(&p->compared); !atomic_compare_exchange_weak(&p->compared, &v, v + 9);)
            ;
        break;
    case 7:
        sem_wait(&p->tokens);
        pthread_mutex_lock(&p->mutex[1]);
        p->tokened++;
        pthread_mutex_unlock(&p->mutex[1]);
        sem_post(&p->tokens);
        break;
    case 8: spawn(p, me, r >> 8); break;
    case 9: sched_yield(); break;
    case 10: usleep(r >> 8 & 3); break;
    case 11: {
        struct timespec at = {1, 0}; /* long ago */
        pthread_mutex_lock(&p->queue);
        while (pthread_cond_timedwait(&p->changed, &p->queue, &at) == 0)
            ;
        pthread_mutex_unlock(&p->queue);
        break;
    }
    case 12:
        local += me + 1;
        if (pthread_getspecific(p->key) == NULL)
            pthread_setspecific(p->key, &p->ended);
        break;
    case 13:
        mtx_lock(&p->c11);
        p->eleven++;
        mtx_unlock(&p->c11);
    }
}

/* Everybody makes one thing and takes one. */
static void trade(struct program *p) {
    pthread_mutex_lock(&p->queue);
    p->made++;
    if (p->made % 2)
        pthread_cond_broadcast(&p->changed);
    else
        pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->queue);
    pthread_mutex_lock(&p->queue);
    while (p->taken == p->made)
        pthread_cond_wait(&p->changed, &p->queue);
    p->taken++;
    pthread_mutex_unlock(&p->queue);
}

/* Neighbours hand a ball over without a call. */
static void play(struct program *p, int me) {
    int pair = me / 2, mine = me % 2;
    for (int i = 0; pair * 2 + 1 < p->threads && i < 5; i++) {
        while (atomic_load(&p->ball[pair]) != mine)
            RELAX;
        atomic_store(&p->ball[pair], 1 - mine);
    }
}

static void meet(struct program *p, int round) {
    switch (p->end) {
    case 0: pthread_barrier_wait(&p->barrier); break;
    case 1: {
        long sense = round + 1;
        if (atomic_fetch_add(&p->arrived, 1) == (long)p->threads * (round + 1) - 1)
            atomic_store(&p->sense, sense);
        while (atomic_load(&p->sense) < sense)
            RELAX;
        break;
    }
    case 2:
        pthread_mutex_lock(&p->queue);
        if (++p->met == p->threads * (round + 1)) {
            p->round = round + 1;
            pthread_cond_broadcast(&p->all);
        }
        while (p->round <= round)
            pthread_cond_wait(&p->all, &p->queue);
        pthread_mutex_unlock(&p->queue);
        break;
    default:
        if (atomic_fetch_add(&p->arrived, 1) == (long)p->threads * (round + 1) - 1)
            atomic_store(&p->sense, round + 1);
        while (atomic_load(&p->sense) <= round)
            sched_yield();
    }
}

static void run(struct program *p, int me) {
    long seen = 0;
    local = 1;
    for (int round = 0; round < p->rounds; round++) {
        uint64_t s = p->seed + (uint64_t)(me * 1000 + round);
        for (int i = 0; i < p->acts; i++)
            act(p, me, next(&s));
        uint64_t together = p->seed + (uint64_t)round;
        switch (next(&together) % 3) {
        case 0: trade(p); break;
        case 1: play(p, me); break;
        }
        meet(p, 2 * round);
        seen += p->own[(me + 1) % p->threads]; /* what another one wrote before, and does not write at the moment */
        meet(p, 2 * round + 1);
    }
    meet(p, 2 * p->rounds);
    p->own[me] += local + seen;
}

struct argument {
    struct program *p;
    int me;
};

static void *main_of(void *a) {
    run(((struct argument *)a)->p, ((struct argument *)a)->me);
    return NULL;
}

static void ends(void *of) { atomic_fetch_add((atomic_long *)of, 1); }

static void set_up(struct program *p, uint64_t number) {
    uint64_t s = number * 7919 + 17;
    memset(p, 0, sizeof *p);
    p->seed = next(&s);
    p->threads = 2 + (int)(next(&s) % (MOST - 1));
    p->rounds = 1 + (int)(next(&s) % 3);
    p->acts = (int)(next(&s) % 8);
    p->start = (int)(next(&s) % 3);
    p->end = (int)(next(&s) % ENDS);
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    for (int i = 0; i < LOCKS; i++)
        pthread_mutex_init(&p->mutex[i], NULL);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&p->recursive, &a);
    pthread_mutex_init(&p->queue, NULL);
    pthread_rwlock_init(&p->shared, NULL);
    pthread_spin_init(&p->spin, 0);
    pthread_barrier_init(&p->barrier, NULL, (unsigned)p->threads);
    pthread_cond_init(&p->changed, NULL);
    pthread_cond_init(&p->all, NULL);
    sem_init(&p->tokens, 0, 1 + (unsigned)(next(&s) % 2));
    sem_init(&p->done, 0, 0);
    mtx_init(&p->c11, mtx_plain);
    pthread_key_create(&p->key, ends);
}

static void all_threads(struct program *p) {
    pthread_t t[MOST];
    struct argument a[MOST];
    int first = p->start == 1; /* the initial thread is one of them */
    for (int i = 0; i < p->threads; i++)
        a[i] = (struct argument){p, i};
    if (p->start == 2) { /* a team of OpenMP */
#pragma omp parallel for schedule(static, 1) num_threads(p->threads)
        for (int i = 0; i < p->threads; i++)
            run(p, i);
        return;
    }
    for (int i = first; i < p->threads; i++)
        if (pthread_create(&t[i], NULL, main_of, &a[i]))
            abort();
    if (first)
        run(p, 0);
    for (int i = first; i < p->threads; i++)
        pthread_join(t[i], NULL);
}

static void one(uint64_t number) {
    static struct program p;
    set_up(&p, number);
    all_threads(&p);
    long own = 0;
    for (int i = 0; i < p.threads; i++)
        own += p.own[i];
    printf("%lu: %ld %ld %ld %ld, %ld %ld %ld %ld %ld, %ld %ld, %ld, %d %d, %ld\n", (unsigned long)number, p.under[0], p.under[1], p.under[2], p.under[3],
           p.deep, p.written, p.spun, p.tokened, p.eleven, (long)p.added, (long)p.compared, own, p.made, p.taken, p.start == 0 ? (long)p.ended : 0);
    pthread_key_delete(p.key);
}

int main(int count, char **arguments) {
    uint64_t first = count > 1 ? strtoull(arguments[1], NULL, 10) : 0, n = count > 2 ? strtoull(arguments[2], NULL, 10) : 100;
    for (uint64_t i = 0; i < n; i++)
        one(first + i);
    return 0;
}
