#ifndef FORESEE_REGEX_H
#define FORESEE_REGEX_H
#include <stddef.h>
typedef struct {
  size_t re_nsub;
  void *program;
} regex_t;
typedef struct {
  int rm_so, rm_eo;
} regmatch_t;
#define REG_EXTENDED 1
int regcomp(regex_t *, const char *, int);
int regexec(const regex_t *, const char *, size_t, regmatch_t *, int);
void regfree(regex_t *);
#endif
