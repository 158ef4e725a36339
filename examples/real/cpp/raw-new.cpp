// Arrays from new[], triangular and banded loops.
void cholesky(double *a, int n) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
            a[i * n + j] /= a[j * n + j];
        }
        for (int k = 0; k < i; k++) a[i * n + i] -= a[i * n + k] * a[i * n + k];
        a[i * n + i] = __builtin_sqrt(a[i * n + i]);
    }
}

void band(double *y, const double *a, const double *x, int n, int width) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = i - width < 0 ? 0 : i - width; j <= (i + width < n ? i + width : n - 1); j++) s += a[i * n + j] * x[j];
        y[i] = s;
    }
}

int main() {
    const int n = 30;
    double *a = new double[n * n], *x = new double[n], *y = new double[n];
    for (int i = 0; i < n; i++) {
        x[i] = 1;
        for (int j = 0; j < n; j++) a[i * n + j] = i == j ? 4 : 0;
    }
    cholesky(a, n);
    band(y, a, x, n, 3);
    bool ok = y[4] == 2;
    delete[] a;
    delete[] x;
    delete[] y;
    return ok ? 0 : 1;
}
