#ifndef FORESEE_SYS_STAT_H
#define FORESEE_SYS_STAT_H
#include <sys/types.h>
#endif
