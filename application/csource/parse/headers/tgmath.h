#ifndef FORESEE_TGMATH_H
#define FORESEE_TGMATH_H
#include <math.h>
#endif
