// A tiled transposition, with std::min in the bounds.
#include <algorithm>
#include <vector>

void transpose(std::vector<double> &b, const std::vector<double> &a, int n) {
    constexpr int tile = 16;
    for (int ii = 0; ii < n; ii += tile)
        for (int jj = 0; jj < n; jj += tile)
            for (int i = ii; i < std::min(ii + tile, n); i++)
                for (int j = jj; j < std::min(jj + tile, n); j++) b[j * n + i] = a[i * n + j];
}

int main() {
    const int n = 50;
    std::vector<double> a(n * n, 1.0), b(n * n);
    transpose(b, a, n);
    return b[7] == 1 ? 0 : 1;
}
