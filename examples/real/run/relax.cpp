// run: ./relax n40 t0.01
// A class that owns its memory, and iterations until a tolerance is met.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

class Solver {
 public:
  explicit Solver(int n) : n_(n), u_(new double[n * n]), v_(new double[n * n]) {
    for (int i = 0; i < n * n; i++) u_[i] = v_[i] = i < n ? 1.0 : 0.0;
  }
  double step();
  int run(double tolerance);

 private:
  int n_;
  std::unique_ptr<double[]> u_, v_;
};

double Solver::step() {
  double d = 0;
  for (int j = 1; j < n_ - 1; j++)
    for (int i = 1; i < n_ - 1; i++) {
      double x = 0.25 * (u_[j * n_ + i - 1] + u_[j * n_ + i + 1] + u_[(j - 1) * n_ + i] + u_[(j + 1) * n_ + i]);
      d = std::fmax(d, std::fabs(x - u_[j * n_ + i]));
      v_[j * n_ + i] = x;
    }
  return d;
}

int Solver::run(double tolerance) {
  int steps = 0;
  for (double d = 1; d > tolerance; steps++) {
    d = step();
    u_.swap(v_);
  }
  return steps;
}

int main(int argc, char **argv) {
  int n = 64;
  double tolerance = 0.5;
  for (int a = 1; a < argc; a++) {
    if (argv[a][0] == 'n') n = std::atoi(argv[a] + 1);
    if (argv[a][0] == 't') tolerance = std::atof(argv[a] + 1);
  }
  Solver s(n);
  std::printf("%d\n", s.run(tolerance));
}
