// Conditions that the counters decide, and a switch.
#include <vector>

void border(std::vector<double> &a, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i == 0 || j == 0 || i == n - 1 || j == n - 1)
                a[i * n + j] = 0;
            else
                a[i * n + j] *= 2;
}

void redBlack(std::vector<double> &a, int n, int color) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            if ((i + j) % 2 == color) a[i * n + j] += a[(i - 1) * n + j] + a[(i + 1) * n + j];
}

int main() {
    const int n = 24;
    std::vector<double> a(n * n, 1.0);
    border(a, n);
    redBlack(a, n, 1);
    return a[0] == 0 ? 0 : 1;
}
