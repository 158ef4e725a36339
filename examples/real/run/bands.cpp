// run: ./bands 50 3
// A template for two types, whose widths a structure that is given by its address has.
#include <cstdio>
#include <cstdlib>

template <typename T>
struct Band {
  long n, width;
  T *data;
};

template <typename T>
void multiply(const Band<T> *m, const T *x, T *y) {
  for (long i = 0; i < m->n; i++) {
    T s = 0;
    long from = i < m->width ? 0 : i - m->width, to = i + m->width < m->n ? i + m->width : m->n - 1;
    for (long j = from; j <= to; j++) s += m->data[i * (2 * m->width + 1) + j - i + m->width] * x[j];
    y[i] = s;
  }
}

template void multiply<double>(const Band<double> *, const double *, double *);
template void multiply<float>(const Band<float> *, const float *, float *);

template <typename T>
T run(long n, long width) {
  Band<T> m{n, width, static_cast<T *>(std::calloc(n * (2 * width + 1), sizeof(T)))};
  T *x = static_cast<T *>(std::calloc(n, sizeof(T))), *y = static_cast<T *>(std::calloc(n, sizeof(T)));
  multiply(&m, x, y);
  return y[n / 2];
}

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  long n = std::atol(argv[1]), width = std::atol(argv[2]);
  std::printf("%g %g\n", run<double>(n, width), run<float>(2 * n, width + 1));
}
