#ifndef FORESEE_ULIMIT_H
#define FORESEE_ULIMIT_H
#define UL_GETFSIZE 1
#define UL_SETFSIZE 2
long ulimit(int, ...);
#endif
