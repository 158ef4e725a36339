#define N 300
struct view { double *data; int n, stride; };
double a[N], b[N];
static struct view every(struct view v, int k) { v.stride *= k; v.n = (v.n + k - 1) / k; return v; }
static double get(struct view v, int i) { return v.data[i * v.stride]; }
static void set(const struct view *v, int i, double x) { v->data[i * v->stride] = x; }
void f(void) {
	struct view x = { a, N, 1 }, y = { .data = b, .n = N, .stride = 1 };
	for (int i = 0; i < x.n; i++) set(&y, i, get(x, i));
	struct view z = every(x, 3), w = every(every(y, 2), 5);
	for (int i = 0; i < z.n; i++) set(&z, i, get(y, 3 * i));
	for (int i = 0; i < w.n; i++) set(&w, i, 1);
	struct view t = x; x = y; y = t;
	for (int i = 0; i < x.n / 2; i++) set(&x, i, get(y, N - 1 - i));
}
