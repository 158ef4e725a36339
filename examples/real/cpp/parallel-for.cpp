// Loops as libraries for performance portability write them: a function that is given a lambda expression.
#include <vector>

template <class F>
void parallel_for(int n, F f) {
    for (int i = 0; i < n; i++) f(i);
}

template <class F>
void parallel_for_2d(int n, int m, const F &f) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) f(i, j);
}

struct View {
    double *data;
    int columns;
    double &operator()(int i, int j) const { return data[i * columns + j]; }
};

void smooth(View to, View from, int n, int m) {
    parallel_for_2d(n - 2, m - 2, [=](int i, int j) {
        to(i + 1, j + 1) = 0.25 * (from(i, j + 1) + from(i + 2, j + 1) + from(i + 1, j) + from(i + 1, j + 2));
    });
}

void scale(View v, int n, double by) {
    parallel_for(n, [=](int i) { v(i, i) *= by; });
}

int main() {
    std::vector<double> a(30 * 40, 1.0), b(30 * 40);
    View x{a.data(), 40}, y{b.data(), 40};
    smooth(y, x, 30, 40);
    scale(y, 30, 2.0);
    return b[41] == 2.0 ? 0 : 1;
}
