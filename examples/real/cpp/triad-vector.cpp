// STREAM's triad on std::vector.
#include <cstddef>
#include <vector>

void triad(std::vector<double> &a, const std::vector<double> &b, const std::vector<double> &c, double s) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = b[i] + s * c[i];
}

int main() {
    std::vector<double> a(1000), b(1000, 1.0), c(1000, 2.0);
    triad(a, b, c, 3.0);
    return a[5] == 7.0 ? 0 : 1;
}
