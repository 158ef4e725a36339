#include <assert.h>
double A[40], B[40];
void f(void) { for (int i = 0; i < 40; i++) { assert(A[i] >= 0 && "not negative"); B[i] += 1; } }
