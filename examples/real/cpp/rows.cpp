// A vector of vectors: rows are objects of their own.
#include <vector>

double trace(const std::vector<std::vector<double>> &a) {
    double s = 0;
    for (std::size_t i = 0; i < a.size(); i++) s += a[i][i];
    return s;
}

void scale(std::vector<std::vector<double>> &a, double by) {
    for (auto &row : a)
        for (auto &x : row) x *= by;
}

int main() {
    std::vector<std::vector<double>> a(20, std::vector<double>(30, 1.0));
    scale(a, 2.0);
    return trace(a) == 40 ? 0 : 1;
}
