#define N 70
typedef struct { double x, y; } vec;
vec p[N], q[N];
static vec unit(vec a) { double n = a.x * a.x + a.y * a.y; if (n < 1e-12) return a; a.x /= n; a.y /= n; return a; }
#ifndef MEMBERS
void f(void) { for (int i = 0; i < N; i++) q[i] = unit(p[i]); }
#else
void f(void) {
	for (int i = 0; i < N; i++) {
		double x = p[i].x, y = p[i].y, n = x * x + y * y;
		q[i].x = x / n, q[i].y = y / n;
	}
}
#endif
