// OpenMP in C++: worksharing with schedules, a reduction, single, critical and barriers.
#include <vector>

void scale(std::vector<double> &a, double by) {
    const int n = static_cast<int>(a.size());
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] *= by;
}

double dot(const std::vector<double> &a, const std::vector<double> &b) {
    double s = 0;
    const long n = static_cast<long>(a.size());
#pragma omp parallel for reduction(+ : s) schedule(static, 16)
    for (long i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}

void rows(double *c, const double *a, const double *b, int n) {
#pragma omp parallel for schedule(dynamic, 2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

void phases(std::vector<double> &a, std::vector<double> &b) {
    const int n = static_cast<int>(a.size());
#pragma omp parallel
    {
#pragma omp for
        for (int i = 1; i < n; i++) b[i] = a[i - 1];
#pragma omp single
        b[0] = 0;
#pragma omp for nowait
        for (int i = 0; i < n; i++) a[i] = b[i];
    }
}

int main() {
    std::vector<double> a(600, 1.0), b(600, 2.0), c(576);
    scale(a, 3.0);
    double d = dot(a, b);
    rows(c.data(), a.data(), b.data(), 24);
    phases(a, b);
    return d == 3600 && c[0] == 144 ? 0 : 1;
}
