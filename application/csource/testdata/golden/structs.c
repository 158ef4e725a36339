// options: -D n=4
// Structures of arrays, arrays of structures, pointers in structures, pointers to structures.
#define N 8
typedef struct { double x, y; float m; int id; } particle;
struct grid { int n; double a[N]; double b[N][N]; double *u; struct { short s; int t[4]; } in; };
static particle P[N];
static struct grid g;
void aos(void)
{
	for (int i = 0; i < N; i++) {
		P[i].x += P[i].m * P[i].y;
		P[i].id = i;
		P[0] = P[i];
	}
}
void soa(struct grid *p, double c)
{
	for (int i = 0; i < N; i++) {
		p->a[i] = p->b[i][1] * c + g.a[i];
		(*p).in.t[i % 4] += p->in.s;
		g.u[i] = p->u[i];
	}
}
void params(struct grid *p)
{
	struct grid s = {N, {0}};
	double z[N] = {0, 2.0}, w[2] = {1, 2}, m[2][2] = {{1, 2}, {3}};
	double scale;
	for (int i = 0; i < s.n; i++)
		s.a[i] = 1.0;
	for (int i = 0; i < p->n; i++)
		p->u[i] = scale * s.a[i] + z[i] + w[0] + m[1][1];
}
int main(void) { soa(&g, 2.0); return 0; }
