// run: ./nested 60
// Rows that were allocated one by one, evenly and unevenly: where they lie is what the run makes of it.
#include <cstdio>
#include <cstdlib>
#include <vector>

using Matrix = std::vector<std::vector<double>>;

void multiply(const Matrix &a, const Matrix &b, Matrix &c) {
  int n = int(a.size());
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}

void scale(double **rows, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) rows[i][j] *= 2;
}

double total(const Matrix &ragged) {
  double sum = 0;
  for (size_t i = 0; i < ragged.size(); i++)
    for (size_t j = 0; j < ragged[i].size(); j++) sum += ragged[i][j];
  return sum;
}

void border(Matrix &a) {
  int n = int(a.size());
  for (int j = 0; j < n; j++) a[0][j] = a[n - 1][j];
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < n; j++) a[i][j] += a[i - 1][j];
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  Matrix a(n, std::vector<double>(n, 1.0)), b(a), c(n, std::vector<double>(n)), ragged(n);
  for (int i = 0; i < n; i++) ragged[i].resize(1 + i * i % 7, 1.0);
  multiply(a, b, c);
  border(c);
  double **rows = new double *[n];
  for (int i = 0; i < n; i++) rows[i] = new double[i + 1]();
  scale(rows, n);
  printf("%g %g\n", c[0][0], total(ragged));
}
