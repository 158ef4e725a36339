// SPDX-License-Identifier: Apache-2.0

// Element-wise expressions of Armadillo, whose loops ask for a number of threads: at most mp_threads, at most OpenMP's.
#define ARMA_USE_OPENMP
#define ARMA_OPENMP_THREADS 64
#define ARMA_DONT_USE_WRAPPER
#define ARMA_DONT_USE_BLAS
#define ARMA_DONT_USE_LAPACK
#define ARMA_DONT_USE_ARPACK
#define ARMA_DONT_USE_SUPERLU
#include <armadillo>
#include <cmath>
#include <cstdio>
#include <cstdlib>

static void checksum(const char *name, const arma::mat &m) {
    long sum = 0;
    for (arma::uword i = 0; i < m.n_elem; i++) sum = (sum * 31 + std::lround(m[i] * 1e6)) % 1000000007;
    std::printf("%s %ld\n", name, sum);
}

int main(int argc, char **argv) {
    arma::uword n = argc > 1 ? std::atol(argv[1]) : 128;
    arma::mat a(n, n), b(n, n);
    for (arma::uword i = 0; i < a.n_elem; i++) {
        a[i] = static_cast<double>(i * 7 % 101) / 64;
        b[i] = static_cast<double>(i * 13 % 89) / 64;
    }
    checksum("exp", arma::exp(a - b));
    checksum("pow", arma::pow(a + 1, 1.5) % b);
    checksum("atan2", arma::atan2(a, b + 1));
    checksum("normcdf", arma::normcdf(a));
    std::printf("sum %.3f\n", arma::accu(arma::sqrt(a)));
    std::printf("mixed %.3f\n", arma::accu(arma::sin(arma::cos(a) + b)));
}
