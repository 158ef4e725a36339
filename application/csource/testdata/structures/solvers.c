// Solvers that exchange two buffers, also through their addresses, and that their data may end before they have counted to their bound; here these do not.
enum { n = 40 };
double a[n], b[n];

#ifdef MEMBERS
#define SWAP(u, v) do { double *t = u; u = v; v = t; } while (0)
#else
static void swap(double **x, double **y) { double *t = *x; *x = *y; *y = t; }
#define SWAP(u, v) swap(&u, &v)
#endif

static void pairs(double tol) {
	double *u = a, *v = b, diff = 1;
	for (int k = 0; k < 25 && diff > tol; k++) {
		for (int i = 0; i < n; i++) {
			v[i] = 0.5 * u[i];
			diff += 1;
		}
		SWAP(u, v);
	}
}

static void least(double tol) {
	double *u = a, *v = b, diff = 1;
	int k = 0;
	while (diff > tol) {
		for (int i = 0; i < n; i++) {
			v[i] = 0.5 * u[i];
			diff += 1;
		}
		SWAP(u, v);
		if (++k >= 7)
			break;
	}
}

static void one(double tol) {
	double diff = 1;
	int k = 0;
	while (diff > tol) {
		for (int i = 0; i < n; i++) {
			a[i] = 0.5 * b[i];
			diff += 1;
		}
		if (++k == 9)
			break;
	}
}

void f(void) {
	pairs(1e-9);
	least(1e-9);
	one(1e-9);
}
