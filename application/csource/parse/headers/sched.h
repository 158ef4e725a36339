#ifndef FORESEE_SCHED_H
#define FORESEE_SCHED_H
int sched_getcpu(void);
int sched_yield(void);
#endif
