#ifndef FORESEE_SYS_SELECT_H
#define FORESEE_SYS_SELECT_H
#include <sys/time.h>
typedef struct {
  unsigned long bits[16];
} fd_set;
int select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
#endif
