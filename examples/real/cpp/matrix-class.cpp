// A matrix class with operator(), as a template; matrix product and transposed product.
#include <vector>

template <class T>
class Matrix {
public:
    Matrix(int rows, int columns) : rows_(rows), columns_(columns), data_(rows * columns) {}
    T &operator()(int i, int j) { return data_[i * columns_ + j]; }
    const T &operator()(int i, int j) const { return data_[i * columns_ + j]; }
    int rows() const { return rows_; }
    int columns() const { return columns_; }

private:
    int rows_, columns_;
    std::vector<T> data_;
};

template <class T>
void multiply(Matrix<T> &c, const Matrix<T> &a, const Matrix<T> &b) {
    for (int i = 0; i < c.rows(); i++)
        for (int j = 0; j < c.columns(); j++) {
            T sum = 0;
            for (int k = 0; k < a.columns(); k++) sum += a(i, k) * b(k, j);
            c(i, j) = sum;
        }
}

void rankUpdate(Matrix<double> &c, const Matrix<double> &a) {
    for (int i = 0; i < c.rows(); i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < a.columns(); k++) c(i, j) += a(i, k) * a(j, k);
}

int main() {
    Matrix<double> a(20, 24), b(24, 18), c(20, 18), d(20, 20);
    Matrix<float> e(12, 12), f(12, 12), g(12, 12);
    multiply(c, a, b);
    multiply(g, e, f);
    rankUpdate(d, a);
    return c(3, 4) == 0 && d(2, 1) == 0 && g(1, 1) == 0 ? 0 : 1;
}
