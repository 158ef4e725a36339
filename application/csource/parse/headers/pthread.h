#error pthread.h is not read from source (POSIX threads); use OpenMP; foresee cannot trace a program yet
