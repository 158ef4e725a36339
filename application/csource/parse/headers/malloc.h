#ifndef FORESEE_MALLOC_H
#define FORESEE_MALLOC_H
#include <stdlib.h>
void *memalign(size_t, size_t);
void *valloc(size_t);
#endif
