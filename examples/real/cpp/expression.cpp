// Expression templates: sums of vectors without temporaries.
#include <cstddef>
#include <vector>

template <class L, class R>
struct Sum {
    const L &l;
    const R &r;
    double operator[](std::size_t i) const { return l[i] + r[i]; }
};

class Vector {
public:
    Vector(std::size_t n, double x) : data(n, x) {}
    double operator[](std::size_t i) const { return data[i]; }
    double &operator[](std::size_t i) { return data[i]; }
    std::size_t size() const { return data.size(); }
    template <class E>
    void assign(const E &e) {
        for (std::size_t i = 0; i < data.size(); i++) data[i] = e[i];
    }

private:
    std::vector<double> data;
};

template <class L, class R>
Sum<L, R> operator+(const L &l, const R &r) { return {l, r}; }

void combine(Vector &d, const Vector &a, const Vector &b, const Vector &c) { d.assign(a + b + c); }

int main() {
    Vector a(400, 1), b(400, 2), c(400, 3), d(400, 0);
    combine(d, a, b, c);
    return d[9] == 6 ? 0 : 1;
}
