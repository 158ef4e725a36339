// A vector of more vectors than could be followed one by one, with their lengths in the loops, and two of them that change places.
#include <utility>
#include <vector>

using grid = std::vector<std::vector<double>>;

void smooth(const grid &from, grid &to)
{
    for (std::size_t i = 1; i + 1 < from.size(); i++)
        for (std::size_t j = 1; j + 1 < from[i].size(); j++)
            to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? 10 * argc : 800;
    const std::vector<double> row(5, 1.0);
    grid a(n, row), b = a;
    for (int t = 0; t < 2; t++) {
        smooth(a, b);
        std::swap(a, b);
    }
    return a[n / 2][2] == 1.0 ? 0 : 1;
}
