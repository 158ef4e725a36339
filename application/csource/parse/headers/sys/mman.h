#ifndef FORESEE_SYS_MMAN_H
#define FORESEE_SYS_MMAN_H
#include <sys/types.h>
#endif
