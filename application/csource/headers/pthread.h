#error pthread.h is not read from source (POSIX threads); use OpenMP, or trace the program: foresee trace
