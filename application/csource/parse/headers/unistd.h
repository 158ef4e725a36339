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
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define _SC_CLK_TCK 2
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
extern int opterr, optopt;
extern char **environ;
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
off_t lseek(int, off_t, int);
int access(const char *, int);
int unlink(const char *);
int rmdir(const char *);
int chdir(const char *);
char *getcwd(char *, size_t);
int gethostname(char *, size_t);
int getppid(void);
unsigned getuid(void);
int fork(void);
int execv(const char *, char *const *);
int execvp(const char *, char *const *);
void _exit(int);
int dup(int);
int dup2(int, int);
int pipe(int *);
int isatty(int);
int fsync(int);
int ftruncate(int, off_t);
int getpagesize(void);
unsigned alarm(unsigned);
int pause(void);
void *sbrk(long);
#define _SC_ARG_MAX 0
#define _SC_OPEN_MAX 4
#define _SC_LEVEL1_DCACHE_SIZE 188
#define _SC_LEVEL1_DCACHE_LINESIZE 190
#define _SC_LEVEL2_CACHE_SIZE 191
#define _SC_LEVEL3_CACHE_SIZE 194
int link(const char *, const char *);
int symlink(const char *, const char *);
ssize_t readlink(const char *, char *, size_t);
int chown(const char *, uid_t, gid_t);
int truncate(const char *, off_t);
unsigned geteuid(void);
unsigned getgid(void);
unsigned getegid(void);
int setuid(uid_t);
int setsid(void);
int execl(const char *, const char *, ...);
int execlp(const char *, const char *, ...);
int execve(const char *, char *const *, char *const *);
int fdatasync(int);
void sync(void);
int nice(int);
int brk(void *);
long pathconf(const char *, int);
char *ttyname(int);
char *getlogin(void);
int fchdir(int);
int getentropy(void *, size_t);
long syscall(long, ...);
#endif
