// Complex numbers: each is two real numbers in memory, of which only those are read that the code asks for.
#ifdef MEMBERS
double a[16], b[16], w[16], out[16];
float g[16];
double norm[8];
struct { double z[2]; long n; } s[8];

void f(void) {
	for (int i = 0; i < 4; i++) {
		double wr = w[4*i], wi = w[4*i+1], xr = a[2*i+8], xi = a[2*i+9];
		double tr = wr*xr - wi*xi, ti = wr*xi + wi*xr;
		double ar = a[2*i], ai = a[2*i+1];
		out[2*i] = ar + tr;
		out[2*i+1] = ai + ti;
		double br = a[2*i], bi = a[2*i+1];
		out[2*i+8] = br - tr;
		out[2*i+9] = bi - ti;
	}
	double sr = 0, si = 0;
	for (int i = 0; i < 8; i++) {
		double br = b[2*i], bi = b[2*i+1], ar = a[2*i], ai = a[2*i+1];
		sr += br*ar + bi*ai;
		si += br*ai - bi*ar;
		norm[i] = out[2*i]*2 + out[2*i+1];
	}
	out[0] = sr;
	out[1] = si;
	for (int i = 0; i < 8; i++) {
		double br = b[2*i], bi = b[2*i+1];
		double n = norm[i];
		b[2*i] = br / n;
		b[2*i+1] = bi / n;
	}
	for (int i = 0; i < 8; i++) {
		float gr = g[2*i], gi = g[2*i+1];
		g[2*i] = -gi;
		g[2*i+1] = gr;
		s[i].z[0] = i < 4 ? a[2*i] : b[2*i];
		s[i].z[1] = i < 4 ? a[2*i+1] : b[2*i+1];
	}
}
#else
#include <complex.h>
double complex a[8], b[8], w[8], out[8];
float complex g[8];
double norm[8];
struct { double complex z; long n; } s[8];

static double complex inner(double complex x, double complex y) { return conj(x)*y; }

void f(void) {
	for (int i = 0; i < 4; i++) {
		double complex t = w[2*i]*a[i+4];
		out[i] = a[i] + t;
		out[i+4] = a[i] - t;
	}
	double complex sum = 0;
	for (int i = 0; i < 8; i++) {
		sum += inner(b[i], a[i]);
		norm[i] = creal(out[i])*2 + __imag__ out[i];
	}
	out[0] = sum;
	for (int i = 0; i < 8; i++)
		b[i] /= norm[i];
	for (int i = 0; i < 8; i++) {
		g[i] = g[i]*(0 + 1.0f*I);
		s[i].z = i < 4 ? a[i] : b[i];
	}
}
#endif
