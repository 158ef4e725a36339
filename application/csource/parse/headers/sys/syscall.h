#ifndef FORESEE_SYS_SYSCALL_H
#define FORESEE_SYS_SYSCALL_H
#define SYS_gettid 186
#define SYS_getcpu 309
long syscall(long, ...);
#endif
