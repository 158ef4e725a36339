// Range-for over vectors and arrays.
#include <array>
#include <vector>

double sum(const std::vector<double> &v) {
    double s = 0;
    for (double x : v) s += x;
    return s;
}

void shift(std::vector<double> &v, double by) {
    for (auto &x : v) x += by;
}

float weigh(const std::array<float, 500> &w) {
    float s = 0;
    for (float x : w) s += x * x;
    return s;
}

int main() {
    std::vector<double> v(700, 0.5);
    std::array<float, 500> w;
    w.fill(1.0f);
    shift(v, 0.5);
    return sum(v) == 700 && weigh(w) == 500 ? 0 : 1;
}
