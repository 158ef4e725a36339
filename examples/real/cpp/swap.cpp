// Two vectors that take turns, by std::swap.
#include <utility>
#include <vector>

void jacobi(std::vector<double> &a, std::vector<double> &b, int steps) {
    double *from = a.data(), *to = b.data();
    const int n = static_cast<int>(a.size());
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3;
        std::swap(from, to);
    }
}

int main() {
    std::vector<double> a(200, 1.0), b(200);
    jacobi(a, b, 6);
    return b[100] > 0 ? 0 : 1;
}
