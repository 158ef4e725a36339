#define N 50
typedef struct { double x, y; } vec;
vec p[N], last;
double w[N];
static double dot(const vec *a, const vec *b) { return a->x * b->x + a->y * b->y; }
static void keep(vec v) { last = v; }
#ifndef MEMBERS
void f(void) {
	for (int i = 0; i < N; i++) { vec t = p[i]; w[i] = dot(&t, &t); }
	for (int i = 0; i < N; i++) keep(p[i]);
	for (int i = 0; i < N; i++) { vec t = p[i], u = t; w[i] += u.y; }
}
#else
void f(void) {
	for (int i = 0; i < N; i++) { double x = p[i].x, y = p[i].y; w[i] = x * x + y * y; }
	for (int i = 0; i < N; i++) { double x = p[i].x, y = p[i].y; }
	for (int i = 0; i < N; i++) w[i] += p[i].y;
}
#endif
