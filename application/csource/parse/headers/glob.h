#ifndef FORESEE_GLOB_H
#define FORESEE_GLOB_H
#include <stddef.h>
typedef struct {
  size_t gl_pathc;
  char **gl_pathv;
  size_t gl_offs;
  long more[6];
} glob_t;
#define GLOB_ERR 1
#define GLOB_MARK 2
#define GLOB_NOSORT 4
#define GLOB_NOCHECK 16
#define GLOB_NOMATCH 3
int glob(const char *, int, int (*)(const char *, int), glob_t *);
void globfree(glob_t *);
#endif
