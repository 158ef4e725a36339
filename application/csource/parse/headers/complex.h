#ifndef FORESEE_COMPLEX_H
#define FORESEE_COMPLEX_H
#define complex _Complex
#define _Complex_I (__extension__ 1.0iF)
#define I _Complex_I
#define FORESEE_REAL(name) double name(double _Complex); float name##f(float _Complex); long double name##l(long double _Complex);
#define FORESEE_COMPLEX(name) double _Complex name(double _Complex); float _Complex name##f(float _Complex); long double _Complex name##l(long double _Complex);
FORESEE_REAL(creal)
FORESEE_REAL(cimag)
FORESEE_REAL(cabs)
FORESEE_REAL(carg)
FORESEE_COMPLEX(conj)
FORESEE_COMPLEX(cproj)
FORESEE_COMPLEX(cexp)
FORESEE_COMPLEX(clog)
FORESEE_COMPLEX(csqrt)
FORESEE_COMPLEX(csin)
FORESEE_COMPLEX(ccos)
FORESEE_COMPLEX(ctan)
FORESEE_COMPLEX(casin)
FORESEE_COMPLEX(cacos)
FORESEE_COMPLEX(catan)
FORESEE_COMPLEX(csinh)
FORESEE_COMPLEX(ccosh)
FORESEE_COMPLEX(ctanh)
FORESEE_COMPLEX(casinh)
FORESEE_COMPLEX(cacosh)
FORESEE_COMPLEX(catanh)
double _Complex cpow(double _Complex, double _Complex);
float _Complex cpowf(float _Complex, float _Complex);
long double _Complex cpowl(long double _Complex, long double _Complex);
double _Complex CMPLX(double, double);
float _Complex CMPLXF(float, float);
long double _Complex CMPLXL(long double, long double);
#endif
