#ifndef FORESEE_ALLOCA_H
#define FORESEE_ALLOCA_H
#include <stddef.h>
void *alloca(size_t);
#endif
