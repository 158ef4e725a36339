#ifndef FORESEE_FENV_H
#define FORESEE_FENV_H
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
#define FE_TONEAREST 0
typedef struct {
  int words[8];
} fenv_t;
int feenableexcept(int);
int fedisableexcept(int);
int feclearexcept(int);
int fetestexcept(int);
int fesetround(int);
int fegetround(void);
#endif
