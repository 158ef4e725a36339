#ifndef FORESEE_SYS_TYPES_H
#define FORESEE_SYS_TYPES_H
#include <stddef.h>
typedef long ssize_t;
typedef long off_t;
typedef int pid_t;
typedef long time_t;
typedef unsigned int uint;
typedef unsigned char u_char;
#endif
