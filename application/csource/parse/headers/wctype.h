#ifndef FORESEE_WCTYPE_H
#define FORESEE_WCTYPE_H
#include <stddef.h>
typedef unsigned long wctype_t;
typedef unsigned int wint_t;
int iswalpha(wint_t);
int iswdigit(wint_t);
int iswalnum(wint_t);
int iswspace(wint_t);
int iswupper(wint_t);
int iswlower(wint_t);
wint_t towupper(wint_t);
wint_t towlower(wint_t);
#endif
