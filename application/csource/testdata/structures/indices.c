#define N 24
typedef struct { int i, j; } index2;
typedef struct { index2 lo, hi; } range2;
double a[N][N], b[N][N];
static index2 east(index2 p) { p.j = (p.j + 1) % N; return p; }
static index2 at(int i, int j) { return (index2){ i, j }; }
static range2 inner(int w) { range2 r = { { w, w }, { N - w, N - w } }; return r; }
void f(void) {
	range2 r = inner(2);
	for (int i = r.lo.i; i < r.hi.i; i++)
		for (int j = r.lo.j; j < r.hi.j; j++) {
			index2 p = at(i, j), q = east(p);
			b[p.i][p.j] = a[q.i][q.j];
		}
	index2 c = { 3, 0 };
	for (int k = 0; k < N; k++) {
		a[c.i][c.j] = 0;
		c = (index2){ k, N - 1 - k };
	}
	index2 e = { 0, 0 }, g = { 5, 5 };
	for (int k = 0; k < 9; k++) {
		b[e.i][e.j] = 1;
		index2 t = e;
		e = g;
		g = t;
	}
	for (int k = 0; k < N; k++) {
		index2 d = k % 2 ? at(k, 0) : at(0, k);
		b[d.i][d.j] += 1;
	}
}
