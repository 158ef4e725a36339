#define N 40
typedef struct { int i, j; } index2;
typedef struct { index2 lo, hi; } range2;
double a[N][N], b[N][N];
static void shift(index2 *p) { *p = (index2){ p->i + 1, p->j }; }
static void both(index2 *p, index2 *q) { index2 t = *p; *p = *q; *q = t; }
void f(void) {
	index2 p = { 0, 3 }, q = { 7, 9 };
	for (int k = 0; k < 9; k++) { a[p.i][p.j] = 0; shift(&p); }
	for (int k = 0; k < 5; k++) { b[p.i][p.j] = b[q.i][q.j]; both(&p, &q); }
	for (int k = 0; k < 20; k++) {
		if (k == 5) p = q;
		a[p.i][p.j] += 1;
	}
	range2 r = { { 9, 9 }, { 12, 12 } };
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 4; j++) a[r.lo.i][r.lo.j + j] = 2;
		r.lo.i++;
	}
	r.lo = r.hi;
	b[r.lo.i][r.lo.j] += 1;
}
