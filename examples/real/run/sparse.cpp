// run: ./sparse 600
// A sparse matrix by rows, a mesh of triangles, and lists of lists: what is accessed stands in arrays of integers that are made before.
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Matrix {
  int rows;
  std::vector<int> begin, column;
  std::vector<double> value;
};

void multiply(const Matrix &a, const double *x, double *y) {
  for (int i = 0; i < a.rows; i++) {
    double sum = 0;
    for (int k = a.begin[i]; k < a.begin[i + 1]; k++) sum += a.value[k] * x[a.column[k]];
    y[i] = sum;
  }
}

static unsigned short corner[3 * 500];

void assemble(int triangles, const double *area, double *mass) {
  for (int t = 0; t < triangles; t++)
    for (int c = 0; c < 3; c++) mass[corner[3 * t + c]] += area[t] / 3;
}

void follow(int n, const long *next, const int *owner, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    if (owner[i] >= 0) y[owner[i]] += x[next[next[i]]];
}

void tally(const std::vector<unsigned char> &values, long *times) {
  for (auto v : values) times[v]++;
}

// What an array holds that changes meanwhile stands for nothing.
void reverse(int n, int *place, double *x) {
  for (int i = 0; i < n / 2; i++) {
    int first = place[i];
    place[i] = place[n - 1 - i];
    place[n - 1 - i] = first;
    x[place[i]] += 1;
  }
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  unsigned r = 1;
  auto random = [&r](int below) {
    r = r * 1664525 + 1013904223;
    return int((r >> 8) % below);
  };
  Matrix a;
  a.rows = n;
  a.begin.push_back(0);
  for (int i = 0; i < n; i++) {
    for (int k = random(6); k > 0; k--) {
      a.column.push_back(random(n));
      a.value.push_back(1);
    }
    a.begin.push_back(int(a.column.size()));
  }
  for (auto &c : corner) c = (unsigned short)random(n);
  std::vector<double> x(n, 1.0), y(n);
  multiply(a, x.data(), y.data());
  assemble(500, x.data(), y.data());
  std::vector<long> next(n);
  std::vector<int> owner(n);
  for (int i = 0; i < n; i++) {
    next[i] = random(n);
    owner[i] = random(2 * n) - n;
    if (owner[i] < 0) owner[i] = -1;
  }
  follow(n, next.data(), owner.data(), x.data(), y.data());
  std::vector<unsigned char> values(n);
  for (auto &v : values) v = (unsigned char)random(256);
  std::vector<long> times(256);
  tally(values, times.data());
  reverse(n / 2, a.column.data(), y.data());
  printf("%g\n", y[0]);
}
