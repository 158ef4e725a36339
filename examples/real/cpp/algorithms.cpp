// The library's algorithms instead of loops.
#include <algorithm>
#include <numeric>
#include <vector>

double norm(const std::vector<double> &v) { return std::inner_product(v.begin(), v.end(), v.begin(), 0.0); }

double total(const std::vector<double> &v) { return std::accumulate(v.begin(), v.end(), 0.0); }

void grow(std::vector<double> &v) {
    std::for_each(v.begin(), v.end(), [](double &x) { x = 2 * x + 1; });
}

void combine(std::vector<double> &out, const std::vector<double> &a, const std::vector<double> &b) {
    std::transform(a.begin(), a.end(), b.begin(), out.begin(), [](double x, double y) { return x - y; });
}

int main() {
    std::vector<double> a(512, 1.0), b(512, 3.0), c(512);
    grow(a);
    combine(c, b, a);
    return total(c) + norm(a) == 512 * 9.0 ? 0 : 1;
}
