// run: ./aliases 2000
// Pointers to the same memory: in place, shifted, by a structure and by a global variable.
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

__attribute__((noinline)) void shift(double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = 0.5 * a[i] + b[i];
}

__attribute__((noinline)) void axpy(std::vector<double> &to, const std::vector<double> &x, const std::vector<double> &y)
{
    for (size_t i = 0; i < to.size(); i++)
        to[i] = 2 * x[i] + y[i];
}

struct Field {
    double *now, *next;
    long n;
};

__attribute__((noinline)) void relax(Field &f)
{
    for (long i = 1; i < f.n - 1; i++)
        f.next[i] = 0.5 * (f.now[i - 1] + f.now[i + 1]);
}

double history[3000];

__attribute__((noinline)) void record(double *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = history[i] + 1;
}

// The pieces of one block that it is given do not overlap.
__attribute__((noinline)) void pieces(const double *a, const double *b, double *c, int n)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] * b[i];
}

// What it reads as subscripts is what it has written.
__attribute__((noinline)) void scatter(int *to, const int *at, double *x, int n)
{
    for (int i = 0; i < n; i++) {
        to[(i * 7) % n] = i;
        x[at[i]] += 1;
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2000;
    double *w = (double *)calloc(4 * n, sizeof *w);
    shift(w + 1, w, n);
    shift(w, w, n);
    shift(w + 2 * n, w, n);
    std::vector<double> x(n, 1), y(n, 2);
    axpy(x, x, y);
    Field f = {w + 8, w, n};
    relax(f);
    record(history + 100, n);
    pieces(w, w + n, w + 2 * n, n);
    std::vector<int> at(n);
    std::iota(at.begin(), at.end(), 0);
    scatter(at.data(), at.data(), w, n);
    printf("%.6f %.6f %d\n", std::accumulate(w, w + 4 * n, 0.0), x[n / 2] + history[n / 2], at[n / 2]);
    free(w);
}
