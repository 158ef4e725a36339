#ifndef FORESEE_COMPLEX_H
#define FORESEE_COMPLEX_H
#define complex _Complex
#define I (__extension__ 1.0iF)
double creal(double _Complex);
double cimag(double _Complex);
double cabs(double _Complex);
#endif
