#ifndef FORESEE_TIME_H
#define FORESEE_TIME_H
#include <sys/types.h>
typedef long clock_t;
struct timespec {
  long tv_sec;
  long tv_nsec;
};
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
clock_t clock(void);
time_t time(time_t *);
int clock_gettime(int, struct timespec *);
#endif
