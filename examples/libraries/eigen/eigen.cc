// SPDX-License-Identifier: Apache-2.0

// Products of Eigen, which splits them by thread number: dense, and row-major sparse times dense.
#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Small whole numbers, so that every sum is exact in any order.
static double entry(long i, long j) { return (i * 7 + j * 13) % 11 - 5; }

static long checksum(const Eigen::MatrixXd &m) {
    long sum = 0;
    for (long j = 0; j < m.cols(); j++)
        for (long i = 0; i < m.rows(); i++)
            sum = (sum * 31 + static_cast<long>(m(i, j)) + 1000003) % 1000000007;
    return sum;
}

int main(int argc, char **argv) {
    long n = argc > 1 ? std::atol(argv[1]) : 96;
    Eigen::MatrixXd a(n, n), b(n, n);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            a(i, j) = entry(i, j);
            b(i, j) = entry(j + 3, i);
        }
    Eigen::MatrixXd c = a * b;
    std::printf("dense %ld\n", checksum(c));

    long rows = n * n; // Eigen's loop over sparse rows is parallel from 20000 non-zeros on
    std::vector<Eigen::Triplet<double>> five;
    for (long i = 0; i < rows; i++)
        for (long d : {-n, -1L, 0L, 1L, n})
            if (i + d >= 0 && i + d < rows) five.emplace_back(i, i + d, entry(i, d + n));
    Eigen::SparseMatrix<double, Eigen::RowMajor> s(rows, rows);
    s.setFromTriplets(five.begin(), five.end());
    Eigen::MatrixXd x(rows, 1);
    for (long i = 0; i < rows; i++) x(i, 0) = entry(i, 1);
    Eigen::MatrixXd y = s * x;
    std::printf("sparse %ld\n", checksum(y));
}
