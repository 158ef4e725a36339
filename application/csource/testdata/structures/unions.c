#define N 100
typedef union { double d[2]; struct { double re, im; }; } number;
typedef union { float f; int i; } bits;
number a[N], b[N];
bits c[N];
#ifndef MEMBERS
void f(void) {
	for (int i = 0; i < N; i++) {
		number x = a[i], y = b[i];
		a[i].re = x.re * y.re - x.im * y.im;
		a[i].d[1] = x.re * y.im + x.im * y.re;
	}
	for (int i = 0; i < N; i++) {
		bits u = { .f = (float)i };
		c[i] = u;
	}
}
#else
void f(void) {
	for (int i = 0; i < N; i++) {
		double xr = a[i].re, xi = a[i].im, yr = b[i].re, yi = b[i].im;
		a[i].re = xr * yr - xi * yi;
		a[i].im = xr * yi + xi * yr;
	}
	for (int i = 0; i < N; i++) c[i].f = (float)i;
}
#endif
