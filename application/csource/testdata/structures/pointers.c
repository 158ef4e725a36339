#define N 120
typedef struct { double x, y; int n; } vec;
vec p[N], q[N], total;
double w[N];
static void add(vec *r, const vec *a, const vec *b) { r->x = a->x + b->x; r->y = (*a).y + b->y; r->n++; }
static double dot(const vec *a, const vec *b) { return a->x * b->x + a->y * b->y; }
#ifndef MEMBERS
void f(void) {
	for (int i = 0; i < N; i++) {
		vec t = { .n = 1 }, u = q[i];
		add(&t, &p[i], &u);
		w[i] = dot(&t, &t) + dot(&u, &q[N - 1 - i]) + t.n;
		add(&p[i], &t, &u);
	}
}
#else
void f(void) {
	for (int i = 0; i < N; i++) {
		double ux = q[i].x, uy = q[i].y;
		int n = q[i].n;
		double tx = p[i].x + ux, ty = p[i].y + uy;
		w[i] = tx * tx + ty * ty + ux * q[N - 1 - i].x + uy * q[N - 1 - i].y + 2;
		p[i].x = tx + ux, p[i].y = ty + uy;
		p[i].n++;
	}
}
#endif
