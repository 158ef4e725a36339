#ifndef FORESEE_MM_MALLOC_H
#define FORESEE_MM_MALLOC_H
#include <stdlib.h>
void *_mm_malloc(size_t, size_t);
void _mm_free(void *);
#endif
