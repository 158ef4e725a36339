// run: ./team 3000
// Loops that OpenMP deals to threads, of every schedule, with sizes that the run tells.
#include <cstdio>
#include <cstdlib>
#include <vector>

void scale(std::vector<double> &a, double s)
{
#pragma omp parallel for
    for (long i = 0; i < (long)a.size(); i++)
        a[i] *= s;
}

void chunks(double *a, const double *b, int n)
{
#pragma omp parallel for schedule(static, 7)
    for (int i = n - 1; i >= 0; i--)
        a[i] += b[i];
}

void dynamic(double *a, const int *at, int n)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < n; i++)
        a[at[i]] += 1;
}

double dot(const double *a, const double *b, unsigned n)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(guided)
    for (unsigned i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3000, tasks = 0;
    std::vector<double> a(n, 1), b(n, 2);
    std::vector<int> at(n);
    for (int i = 0; i < n; i++)
        at[i] = (i * 7L) % n;
    scale(a, 3);
    chunks(a.data(), b.data(), n);
    dynamic(a.data(), at.data(), n);
    double sum = dot(a.data(), b.data(), n);
#pragma omp parallel
#pragma omp single
    for (int t = 0; t < 8; t++)
#pragma omp task shared(tasks)
    {
#pragma omp atomic
        tasks += t;
    }
    printf("%g %d\n", sum, tasks);
}
