// run: ./grid 30 21
// Sizes as members of a structure, and of vectors: only their owner sets them.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

struct Grid {
  int nx, ny;
  std::vector<double> a, b;
};

void sweep(Grid &g) {
  for (int j = 1; j < g.ny - 1; j++)
    for (int i = 1; i < g.nx - 1; i++)
      g.b[j * g.nx + i] = 0.25 * (g.a[j * g.nx + i - 1] + g.a[j * g.nx + i + 1] + g.a[(j - 1) * g.nx + i] + g.a[(j + 1) * g.nx + i]);
}

double total(const std::vector<double> &v) {
  double s = 0;
  for (double x : v) s += x;
  return s;
}

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  Grid g;
  g.nx = std::stoi(argv[1]);
  g.ny = std::atoi(argv[2]);
  g.a.resize(g.nx * g.ny, 1.0);
  g.b.resize(g.nx * g.ny);
  sweep(g);
  std::swap(g.a, g.b);
  std::printf("%g\n", total(g.a));
}
