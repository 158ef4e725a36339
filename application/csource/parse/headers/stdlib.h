#ifndef FORESEE_STDLIB_H
#define FORESEE_STDLIB_H
#include <stddef.h>
#include <sys/types.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void *aligned_alloc(size_t, size_t);
int posix_memalign(void **, size_t, size_t);
void free(void *);
void exit(int);
void abort(void);
int atexit(void (*)(void));
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
double atof(const char *);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
double strtod(const char *, char **);
int rand(void);
void srand(unsigned);
long random(void);
void srandom(unsigned);
double drand48(void);
void srand48(long);
int abs(int);
long labs(long);
long long llabs(long long);
char *getenv(const char *);
int system(const char *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
typedef struct {
  int quot;
  int rem;
} div_t;
typedef struct {
  long quot;
  long rem;
} ldiv_t;
div_t div(int, int);
ldiv_t ldiv(long, long);
float strtof(const char *, char **);
long long strtoll(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
void *reallocarray(void *, size_t, size_t);
void *valloc(size_t);
void *memalign(size_t, size_t);
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int rand_r(unsigned *);
long lrand48(void);
long mrand48(void);
double erand48(unsigned short[3]);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
int putenv(char *);
void _Exit(int);
void quick_exit(int);
int mkstemp(char *);
char *mkdtemp(char *);
char *realpath(const char *, char *);
#endif
