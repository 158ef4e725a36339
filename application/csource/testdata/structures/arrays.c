#define N 40
typedef struct { double m[3][3]; double t; } mat3;
mat3 a[N], b[N], c[N];
double d[N];
static mat3 product(mat3 x, mat3 y) {
	mat3 r;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++) {
			r.m[i][j] = 0;
			for (int k = 0; k < 3; k++) r.m[i][j] += x.m[i][k] * y.m[k][j];
		}
	r.t = x.t + y.t;
	return r;
}
#ifndef MEMBERS
void f(void) {
	for (int i = 0; i < N; i++) c[i] = product(a[i], b[i]);
	for (int i = 0; i < N; i++) d[i] = c[i].t;
	for (int i = 0; i < N; i++) {
		mat3 local = product(a[i], b[i]);
		d[i] += local.t + local.m[1][1];
	}
}
#else
void f(void) {
	for (int i = 0; i < N; i++) {
		double r[3][3], x[3][3], y[3][3];
		for (int k = 0; k < 9; k++) x[k / 3][k % 3] = a[i].m[k / 3][k % 3];
		double t = a[i].t;
		for (int k = 0; k < 9; k++) y[k / 3][k % 3] = b[i].m[k / 3][k % 3];
		t += b[i].t;
		for (int j = 0; j < 9; j++) r[j / 3][j % 3] = x[0][0] + y[0][0];
		for (int k = 0; k < 9; k++) c[i].m[k / 3][k % 3] = r[k / 3][k % 3];
		c[i].t = t;
	}
	for (int i = 0; i < N; i++) d[i] = c[i].t;
	for (int i = 0; i < N; i++) {
		double s = 0;
		for (int k = 0; k < 9; k++) s += a[i].m[k / 3][k % 3];
		double t = a[i].t;
		for (int k = 0; k < 9; k++) s += b[i].m[k / 3][k % 3];
		t += b[i].t;
		d[i] += t + s;
	}
}
#endif
