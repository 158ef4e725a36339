#ifndef FORESEE_WORDEXP_H
#define FORESEE_WORDEXP_H
#include <stddef.h>
typedef struct {
  size_t we_wordc;
  char **we_wordv;
  size_t we_offs;
} wordexp_t;
int wordexp(const char *, wordexp_t *, int);
void wordfree(wordexp_t *);
#endif
