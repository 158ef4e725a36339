template <class F> void each(int n, F f) { for (int i = 0; i < n; i++) f(i); }
struct Grid { double *u, *v; int n; };
static double table[64];
void smooth(Grid &g) {
    each(g.n - 2, [&](int i) { g.v[i + 1] = (g.u[i] + g.u[i + 2]) * table[i % 8]; });
}
void lower(Grid &g, int rows) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j <= i; j += 2) g.u[i * rows + j] += 1;
}
void pick(Grid &g, const int *at) {
    for (int i = 0; i < g.n; i++) g.u[at[i]] = 0;
}
int main() {
    Grid g{new double[400], new double[400], 400};
    int *at = new int[400]();
    smooth(g);
    lower(g, 20);
    pick(g, at);
    return g.u[3] > 1;
}
