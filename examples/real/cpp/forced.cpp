// Loops whose vectors and copies the source asks for.
#include <vector>

void update(double *a, const double *b, int n)
{
#pragma clang loop vectorize_width(4) interleave_count(2)
    for (int i = 0; i < n; i++)
        a[i] += b[i];
#pragma unroll 4
    for (int i = 0; i < n; i++)
        a[i] *= b[i];
#pragma GCC unroll 8
    for (int i = 0; i < n; i++)
        a[i] -= 3 * b[i];
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; i++)
        a[i] -= b[n - 1 - i];
}

int main()
{
    std::vector<double> a(103, 1.0), b(103, 1.0);
    update(a.data(), b.data(), 103);
    return a[50] == -1 ? 0 : 1;
}
