#ifndef FORESEE_SIGNAL_H
#define FORESEE_SIGNAL_H
typedef int sig_atomic_t;
#endif
