#ifndef FORESEE_STDARG_H
#define FORESEE_STDARG_H
typedef void *va_list;
#define va_start(ap, last) ((ap) = (void *)0)
#define va_end(ap) ((void)0)
#define va_arg(ap, type) (*(__typeof__(type) *)(ap))
#define va_copy(a, b) ((a) = (b))
#endif
