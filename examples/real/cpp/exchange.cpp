// More steps in time than could be followed one by one, after each of which two buffers change places: vectors, and plain pointers.
#include <utility>
#include <vector>

double smoothed(int steps)
{
    std::vector<double> a(30, 1.0), b(a);
    for (int t = 0; t < steps; t++) {
        for (std::size_t i = 1; i + 1 < a.size(); i++)
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        std::swap(a, b);
    }
    return a[3];
}

double moved(double *from, double *to, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < 20; i++)
            to[i] = from[(i + t) % 20];
        double *other = from;
        from = to;
        to = other;
    }
    return from[1];
}

int main()
{
    std::vector<double> a(20, 2.0), b(20, 2.0);
    return smoothed(701) == 1.0 && moved(a.data(), b.data(), 702) == 2.0 ? 0 : 1;
}
