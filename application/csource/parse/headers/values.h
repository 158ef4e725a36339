#ifndef FORESEE_VALUES_H
#define FORESEE_VALUES_H
#include <limits.h>
#include <float.h>
#define MAXINT INT_MAX
#define MAXDOUBLE DBL_MAX
#endif
