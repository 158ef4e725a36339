#ifndef FORESEE_MONETARY_H
#define FORESEE_MONETARY_H
#include <sys/types.h>
ssize_t strfmon(char *, size_t, const char *, ...);
#endif
