// An array that is declared as a parameter is a pointer, also for sizeof.
double a[100], grid[40][50];

static void fill(double x[100]) {
	for (unsigned i = 0; i < sizeof(x) / sizeof(x[0]) + 2; i++) x[i] = 1;
}

static void rows(double g[40][50]) {
	for (unsigned j = 0; j < sizeof(*g) / sizeof(g[0][0]); j += sizeof g) g[3][j] = 2;
}

static void plain(double *p, int n, double (*q)[50]) {
	for (unsigned i = 0; i < sizeof p / sizeof n; i++) p[i + sizeof(n)] = q[sizeof(*q) / sizeof(**q) - 48][i];
}

void f(void) {
	fill(a);
	plain(a, 3, grid);
	rows(grid);
}
