#ifndef FORESEE_EXECINFO_H
#define FORESEE_EXECINFO_H
int backtrace(void **, int);
char **backtrace_symbols(void *const *, int);
#endif
