// SPDX-License-Identifier: Apache-2.0

// ViennaCL on the host: its OpenMP backend's conjugate gradients on a Laplacian, and a dense product.
#define VIENNACL_WITH_OPENMP
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/matrix.hpp>
#include <viennacl/vector.hpp>

int main(int argc, char **argv) {
    unsigned n = argc > 1 ? std::atoi(argv[1]) : 80;
    unsigned rows = n * n;
    std::vector<std::map<unsigned, double>> laplacian(rows);
    for (unsigned i = 0; i < rows; i++) {
        laplacian[i][i] = 4.5;
        if (i % n > 0) laplacian[i][i - 1] = -1;
        if (i % n + 1 < n) laplacian[i][i + 1] = -1;
        if (i >= n) laplacian[i][i - n] = -1;
        if (i + n < rows) laplacian[i][i + n] = -1;
    }
    viennacl::compressed_matrix<double> a(rows, rows);
    viennacl::copy(laplacian, a);
    std::vector<double> right(rows);
    for (unsigned i = 0; i < rows; i++) right[i] = i % 17;
    viennacl::vector<double> b(rows);
    viennacl::copy(right, b);
    viennacl::vector<double> x = viennacl::linalg::solve(a, b, viennacl::linalg::cg_tag(1e-12, 60));
    std::vector<double> solution(rows);
    viennacl::copy(x, solution);
    double sum = 0; // the sums within are dealt to threads, hence rounded
    for (unsigned i = 0; i < rows; i++) sum += solution[i] * (i % 5);
    std::printf("solve %.4f\n", sum);

    std::vector<std::vector<double>> left(n, std::vector<double>(n)), other = left;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            left[i][j] = (i * 7 + j) % 11;
            other[i][j] = (i + j * 5) % 13;
        }
    viennacl::matrix<double> p(n, n), q(n, n);
    viennacl::copy(left, p);
    viennacl::copy(other, q);
    viennacl::matrix<double> r = viennacl::linalg::prod(p, q);
    viennacl::copy(r, left);
    long check = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) check = (check * 31 + static_cast<long>(left[i][j])) % 1000000007;
    std::printf("product %ld\n", check);
}
