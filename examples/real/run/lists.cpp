// run: ./lists 400
// Lists of neighbours that grew one by one, each in a place of its own: what is accessed stands in rows that were allocated one by one.
#include <cstdio>
#include <cstdlib>
#include <vector>
using std::vector;

struct Edge {
    int to;
    float weight;
};

__attribute__((noinline)) void gather(const vector<vector<int>> &near, const double *x, double *y)
{
    for (size_t u = 0; u < near.size(); u++) {
        double sum = 0;
        for (size_t j = 0; j < near[u].size(); j++)
            sum += x[near[u][j]];
        y[u] = sum;
    }
}

__attribute__((noinline)) void weighted(const vector<vector<Edge>> &edges, const double *x, double *y)
{
    for (size_t u = 0; u < edges.size(); u++)
        for (const Edge &e : edges[u])
            y[u] += e.weight * x[e.to];
}

__attribute__((noinline)) void pick(short **rows, int n, int m, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i] += x[rows[i][j]];
}

// Its rows lie in the midst of eight blocks, in turn.
__attribute__((noinline)) void within(int *const *rows, int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 4; k++)
            y[i] += x[rows[i][k]];
}

// Most rows are not there.
__attribute__((noinline)) void present(double **rows, int n, int m, double *y)
{
    for (int i = 0; i < n; i++)
        if (rows[i])
            for (int j = 0; j < m; j++)
                y[i] += rows[i][j];
}

// What it reads changes while it runs: no run tells it.
__attribute__((noinline)) void reverse(int **rows, int n, int m, double *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            y[rows[i][j]] += 1;
            rows[i][j] = n - 1 - rows[i][j];
        }
}

// It writes what it reads, by another table of the same rows.
__attribute__((noinline)) void refill(int **rows, int **other, int n, int m, double *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            y[rows[i][j]] += 1;
            other[i][j] = (i * 7 + j * 11) % n;
        }
}

// Half of its rows lie in memory of which a run knows nothing.
__attribute__((noinline)) void foreign(int **rows, int n, int m, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i] += x[rows[i][j]];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 400;
    short **rows = (short **)malloc(n * sizeof *rows);
    int **wide = (int **)malloc(n * sizeof *wide);
    for (int i = 0; i < n; i++) {
        rows[i] = (short *)malloc(16 * sizeof(short));
        wide[i] = (int *)malloc(16 * sizeof(int));
        for (int j = 0; j < 16; j++)
            rows[i][j] = wide[i][j] = (i + j * j) % n;
    }
    double **some = (double **)malloc(n * sizeof *some);
    for (int i = 0; i < n; i++)
        some[i] = i % 5 == 2 ? (double *)calloc(24, sizeof(double)) : nullptr;
    vector<vector<int>> near(n);
    vector<vector<Edge>> edges;
    unsigned r = 1;
    for (int i = 0; i < 6 * n; i++) {
        r = r * 1664525u + 1013904223u;
        int a = (r >> 8) % n;
        r = r * 1664525u + 1013904223u;
        near[a].push_back((r >> 8) % n);
    }
    for (int i = 0; i < n; i++) {
        edges.push_back({});
        for (int j = 0; j < i % 7; j++)
            edges.back().push_back({(i * 31 + j * 77) % n, 0.5f});
    }
    vector<double> x(n, 1.5), y(n);
    gather(near, x.data(), y.data());
    weighted(edges, x.data(), y.data());
    pick(rows, n, 16, x.data(), y.data());
    present(some, n, 24, y.data());
    int *blocks[8], **inner = (int **)malloc(n * sizeof *inner);
    for (int *&b : blocks)
        b = (int *)malloc((n / 2 + 8) * sizeof(int));
    for (int i = 0; i < n; i++) {
        inner[i] = blocks[i % 8] + 4 + i / 8 * 4;
        for (int k = 0; k < 4; k++)
            inner[i][k] = (i * 13 + k) % n;
    }
    within(inner, n, x.data(), y.data());
    reverse(wide, n, 16, y.data());
    int **other = (int **)malloc(n * sizeof *other);
    for (int i = 0; i < n; i++)
        other[i] = wide[(i + 3) % n];
    refill(wide, other, n, 16, y.data());
    for (int i = n / 2; i < n; i++) {
        wide[i] = (int *)valloc(16 * sizeof(int));
        for (int j = 0; j < 16; j++)
            wide[i][j] = (i + 3 * j) % n;
    }
    wide[0] = (int *)malloc(64 << 10); // behind those, which so lie between rows that are known
    for (int j = 0; j < 16; j++)
        wide[0][j] = j;
    foreign(wide, n, 16, x.data(), y.data());
    double sum = 0;
    for (double v : y)
        sum += v;
    printf("%g\n", sum);
}
