#define N 64
typedef struct { double x, y; } vec;
typedef struct { vec lo, hi; int id; } box;
box boxes[N];
vec centre[N];
double area[N];
static vec middle(vec a, vec b) { return (vec){ 0.5 * (a.x + b.x), 0.5 * (a.y + b.y) }; }
static box grown(box b, double by) { b.lo.x -= by; b.lo.y -= by; b.hi.x += by; b.hi.y += by; return b; }
static box of(vec a, vec b) { box r = { a, b, .id = 3 }; return r; }
#ifndef MEMBERS
void f(void) {
	for (int i = 0; i < N; i++) {
		box b = boxes[i];
		centre[i] = middle(b.lo, b.hi);
		area[i] = (b.hi.x - b.lo.x) * (b.hi.y - b.lo.y);
	}
	for (int i = 0; i < N; i++) area[i] += middle(boxes[i].lo, boxes[i].hi).x;
	for (int i = 0; i < N; i++) {
		box b = boxes[i], copy = b;
		area[i] += copy.hi.x;
	}
	for (int i = 0; i < N; i++) boxes[i] = grown(boxes[i], 0.25);
	for (int i = 0; i < N; i++) boxes[i] = of(centre[i], centre[N - 1 - i]);
}
#else
void f(void) {
	for (int i = 0; i < N; i++) {
		double lx = boxes[i].lo.x, ly = boxes[i].lo.y, hx = boxes[i].hi.x, hy = boxes[i].hi.y;
		int id = boxes[i].id;
		centre[i].x = 0.5 * (lx + hx), centre[i].y = 0.5 * (ly + hy);
		area[i] = (hx - lx) * (hy - ly);
	}
	for (int i = 0; i < N; i++) {
		double lx = boxes[i].lo.x, ly = boxes[i].lo.y, hx = boxes[i].hi.x, hy = boxes[i].hi.y;
		area[i] += 0.5 * (lx + hx);
	}
	for (int i = 0; i < N; i++) {
		int id = boxes[i].id;
		area[i] += boxes[i].hi.x;
	}
	for (int i = 0; i < N; i++) {
		double lx = boxes[i].lo.x, ly = boxes[i].lo.y, hx = boxes[i].hi.x, hy = boxes[i].hi.y;
		int id = boxes[i].id;
		boxes[i].lo.x = lx - 0.25, boxes[i].lo.y = ly - 0.25, boxes[i].hi.x = hx + 0.25, boxes[i].hi.y = hy + 0.25;
		boxes[i].id = id;
	}
	for (int i = 0; i < N; i++) {
		boxes[i].lo.x = centre[i].x, boxes[i].lo.y = centre[i].y;
		boxes[i].hi.x = centre[N - 1 - i].x, boxes[i].hi.y = centre[N - 1 - i].y;
		boxes[i].id = 3;
	}
}
#endif
