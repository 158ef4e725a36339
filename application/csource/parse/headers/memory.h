#ifndef FORESEE_MEMORY_H
#define FORESEE_MEMORY_H
#include <string.h>
#endif
