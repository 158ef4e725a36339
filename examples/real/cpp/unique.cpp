// Arrays behind smart pointers, and a histogram-like update with known places.
#include <memory>

void gather(double *to, const double *from, int n, int stride) {
    for (int i = 0; i < n; i++) to[i] = from[i * stride];
}

void fold(double *a, int n, int m) {
    for (int i = 0; i < n; i++) a[i % m] += a[i];
}

int main() {
    auto a = std::make_unique<double[]>(900);
    std::unique_ptr<double[]> b(new double[300]);
    gather(b.get(), a.get(), 300, 3);
    fold(a.get(), 900, 32);
    return b[4] == 0 ? 0 : 1;
}
