#ifndef FORESEE_MATH_H
#define FORESEE_MATH_H
#define M_E 2.7182818284590452354
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_LOG2E 1.4426950408889634074
#define HUGE_VAL 1e308
#define INFINITY 1e38f
#define NAN 0.0f
double acos(double);
double acosh(double);
double asin(double);
double asinh(double);
double atan(double);
double atanh(double);
double cbrt(double);
double ceil(double);
double cos(double);
double cosh(double);
double erf(double);
double erfc(double);
double exp(double);
double exp2(double);
double expm1(double);
double fabs(double);
double floor(double);
double lgamma(double);
double log(double);
double log10(double);
double log1p(double);
double log2(double);
double logb(double);
double nearbyint(double);
double rint(double);
double round(double);
double sin(double);
double sinh(double);
double sqrt(double);
double tan(double);
double tanh(double);
double tgamma(double);
double trunc(double);
double atan2(double, double);
double copysign(double, double);
double fdim(double, double);
double fmax(double, double);
double fmin(double, double);
double fmod(double, double);
double hypot(double, double);
double nextafter(double, double);
double pow(double, double);
double remainder(double, double);
double fma(double, double, double);
double ldexp(double, int);
long lround(double);
long lrint(double);
long long llround(double);
float acosf(float);
float acoshf(float);
float asinf(float);
float asinhf(float);
float atanf(float);
float atanhf(float);
float cbrtf(float);
float ceilf(float);
float cosf(float);
float coshf(float);
float erff(float);
float erfcf(float);
float expf(float);
float exp2f(float);
float expm1f(float);
float fabsf(float);
float floorf(float);
float lgammaf(float);
float logf(float);
float log10f(float);
float log1pf(float);
float log2f(float);
float logbf(float);
float nearbyintf(float);
float rintf(float);
float roundf(float);
float sinf(float);
float sinhf(float);
float sqrtf(float);
float tanf(float);
float tanhf(float);
float tgammaf(float);
float truncf(float);
float atan2f(float, float);
float copysignf(float, float);
float fdimf(float, float);
float fmaxf(float, float);
float fminf(float, float);
float fmodf(float, float);
float hypotf(float, float);
float nextafterf(float, float);
float powf(float, float);
float remainderf(float, float);
float fmaf(float, float, float);
float ldexpf(float, int);
long lroundf(float);
long lrintf(float);
long long llroundf(float);
long double acosl(long double);
long double acoshl(long double);
long double asinl(long double);
long double asinhl(long double);
long double atanl(long double);
long double atanhl(long double);
long double cbrtl(long double);
long double ceill(long double);
long double cosl(long double);
long double coshl(long double);
long double erfl(long double);
long double erfcl(long double);
long double expl(long double);
long double exp2l(long double);
long double expm1l(long double);
long double fabsl(long double);
long double floorl(long double);
long double lgammal(long double);
long double logl(long double);
long double log10l(long double);
long double log1pl(long double);
long double log2l(long double);
long double logbl(long double);
long double nearbyintl(long double);
long double rintl(long double);
long double roundl(long double);
long double sinl(long double);
long double sinhl(long double);
long double sqrtl(long double);
long double tanl(long double);
long double tanhl(long double);
long double tgammal(long double);
long double truncl(long double);
long double atan2l(long double, long double);
long double copysignl(long double, long double);
long double fdiml(long double, long double);
long double fmaxl(long double, long double);
long double fminl(long double, long double);
long double fmodl(long double, long double);
long double hypotl(long double, long double);
long double nextafterl(long double, long double);
long double powl(long double, long double);
long double remainderl(long double, long double);
long double fmal(long double, long double, long double);
long double ldexpl(long double, int);
long lroundl(long double);
long lrintl(long double);
long long llroundl(long double);
#define isnan(x) ((x) != (x))
#define isinf(x) ((x) - (x) != 0)
#define isfinite(x) ((x) - (x) == 0)
#endif
