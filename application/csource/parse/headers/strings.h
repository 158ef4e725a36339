#ifndef FORESEE_STRINGS_H
#define FORESEE_STRINGS_H
#include <string.h>
#endif
