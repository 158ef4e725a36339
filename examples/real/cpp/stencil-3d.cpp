// A stencil in three dimensions on flat vectors, with an index function.
#include <vector>

struct Grid {
    int nx, ny, nz;
    int at(int x, int y, int z) const { return (z * ny + y) * nx + x; }
};

void step(const Grid &g, std::vector<double> &to, const std::vector<double> &from) {
    for (int z = 1; z < g.nz - 1; z++)
        for (int y = 1; y < g.ny - 1; y++)
            for (int x = 1; x < g.nx - 1; x++)
                to[g.at(x, y, z)] = from[g.at(x, y, z)] + 0.1 * (from[g.at(x - 1, y, z)] + from[g.at(x + 1, y, z)] + from[g.at(x, y - 1, z)] +
                                                               from[g.at(x, y + 1, z)] + from[g.at(x, y, z - 1)] + from[g.at(x, y, z + 1)]);
}

int main() {
    Grid g{14, 12, 10};
    std::vector<double> a(14 * 12 * 10, 1.0), b(14 * 12 * 10);
    step(g, b, a);
    return b[g.at(1, 1, 1)] > 1.5 ? 0 : 1;
}
