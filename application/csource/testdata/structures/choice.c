#define N 100
typedef struct { double re, im; } complex_t;
complex_t a[N], b[N], c[N];
static complex_t mul(complex_t x, complex_t y) { return (complex_t){ x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re }; }
static complex_t conj_of(complex_t x) { x.im = -x.im; return x; }
#ifndef MEMBERS
void f(void) {
	for (int i = 0; i < N; i++) {
		complex_t t;
		t = i % 3 == 0 ? a[i] : i > 50 ? mul(a[i], b[i]) : conj_of(b[i]);
		c[i] = t;
	}
	for (int i = 0; i < N; i++) c[i] = i & 1 ? a[N - 1 - i] : (complex_t){ 1, 0 };
	complex_t s = { 0 };
	for (int i = 0; i < N; i++) {
		complex_t u = mul(c[i], a[0]);
		s.re += u.re;
		s.im += u.im;
	}
	a[1] = b[1] = s;
}
#else
void f(void) {
	for (int i = 0; i < N; i++) {
		double re, im;
		if (i % 3 == 0) re = a[i].re, im = a[i].im;
		else if (i > 50) {
			double ar = a[i].re, ai = a[i].im, br = b[i].re, bi = b[i].im;
			re = ar * br - ai * bi, im = ar * bi + ai * br;
		}
		else re = b[i].re, im = -b[i].im;
		c[i].re = re, c[i].im = im;
	}
	for (int i = 0; i < N; i++) {
		if (i & 1) c[i].re = a[N - 1 - i].re, c[i].im = a[N - 1 - i].im;
		else c[i].re = 1, c[i].im = 0;
	}
	double re = 0, im = 0;
	for (int i = 0; i < N; i++) {
		double cr = c[i].re, ci = c[i].im, ar = a[0].re, ai = a[0].im;
		re += cr * ar - ci * ai, im += cr * ai + ci * ar;
	}
	b[1].re = re, b[1].im = im;
	a[1].re = re, a[1].im = im;
}
#endif
