#ifndef FORESEE_UNISTD_H
#define FORESEE_UNISTD_H
#include <sys/types.h>
int getpid(void);
int usleep(unsigned);
unsigned sleep(unsigned);
int close(int);
int getopt(int, char *const *, const char *);
extern char *optarg;
extern int optind;
long sysconf(int);
#endif
