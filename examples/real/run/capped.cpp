// run: ./capped 30 1000 0.02
// Iterations until a tolerance is met, a thousand at the most.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

int settle(std::vector<double> &u, int most, double tolerance) {
  int n = static_cast<int>(u.size()), steps = 0;
  for (; steps < most; steps++) {
    double d = 0;
    for (int i = 1; i < n - 1; i++) {
      double x = 0.5 * (u[i - 1] + u[i + 1]);
      d = std::fmax(d, std::fabs(x - u[i]));
      u[i] = x;
    }
    if (d < tolerance) break;
  }
  return steps;
}

int main(int argc, char **argv) {
  if (argc < 4) return 1;
  std::vector<double> u(std::atoi(argv[1]));
  u[0] = 1;
  std::printf("%d\n", settle(u, std::atoi(argv[2]), std::atof(argv[3])));
}
