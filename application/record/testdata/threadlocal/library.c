static __thread double value = 4;

double *in_library(void) { return &value; }
