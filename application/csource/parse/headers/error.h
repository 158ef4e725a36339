#ifndef FORESEE_ERROR_H
#define FORESEE_ERROR_H
void error(int, int, const char *, ...);
#endif
