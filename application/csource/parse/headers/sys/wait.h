#ifndef FORESEE_SYS_WAIT_H
#define FORESEE_SYS_WAIT_H
#include <sys/types.h>
#define WNOHANG 1
#define WIFEXITED(s) (((s) & 0x7f) == 0)
#define WEXITSTATUS(s) (((s) & 0xff00) >> 8)
pid_t wait(int *);
pid_t waitpid(pid_t, int *, int);
#endif
