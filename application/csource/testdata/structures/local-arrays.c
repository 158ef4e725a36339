// Local arrays whose elements compilers keep in registers: with constant subscripts, also through the parameters of functions, and in structures.
struct vec { double x[3]; };
double p[24], q[24], r[24], w[8];
struct vec v[8], u[8];

#ifdef MEMBERS
void f(void) {
	for (int i = 0; i < 8; i++) {
		double a0 = p[3*i], a1 = p[3*i+1], a2 = p[3*i+2];
		double b0 = q[3*i], b1 = q[3*i+1], b2 = q[3*i+2];
		r[3*i] = a1*b2 - a2*b1;
		r[3*i+1] = a2*b0 - a0*b2;
		r[3*i+2] = a0*b1 - a1*b0;
	}
	for (int i = 0; i < 8; i++) {
		double s0 = v[i].x[0] + u[i].x[0], s1 = v[i].x[1] + u[i].x[1], s2 = v[i].x[2] + u[i].x[2];
		w[i] = s0*s0 + s1*s1 + s2*s2;
	}
}
#else
static void cross(const double *a, const double b[3], double *c) {
	c[0] = a[1]*b[2] - a[2]*b[1];
	c[1] = a[2]*b[0] - a[0]*b[2];
	c[2] = a[0]*b[1] - a[1]*b[0];
}

void f(void) {
	for (int i = 0; i < 8; i++) {
		double a[3] = {p[3*i], p[3*i+1], p[3*i+2]}, b[3], c[3] = {0};
		b[0] = q[3*i];
		b[1] = q[3*i+1];
		b[2] = q[3*i+2];
		cross(a, b, c);
		r[3*i] = c[0];
		r[3*i+1] = c[1];
		r[3*i+2] = c[2];
	}
	for (int i = 0; i < 8; i++) {
		struct vec s;
		s.x[0] = v[i].x[0] + u[i].x[0];
		s.x[1] = v[i].x[1] + u[i].x[1];
		s.x[2] = v[i].x[2] + u[i].x[2];
		w[i] = s.x[0]*s.x[0] + s.x[1]*s.x[1] + s.x[2]*s.x[2];
	}
}
#endif
