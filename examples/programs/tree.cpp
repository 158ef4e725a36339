// SPDX-License-Identifier: Apache-2.0
// tree.cpp - a search tree of the C++ library, filled and searched. usage: tree [KEYS]
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

struct shape {
    virtual ~shape() = default;
    virtual double area() const = 0;
};
struct square : shape {
    double a;
    explicit square(double a) : a(a) {}
    double area() const override { return a * a; }
};
struct circle : shape {
    double r;
    explicit circle(double r) : r(r) {}
    double area() const override { return 3.141592653589793 * r * r; }
};

static int checked(int x)
{
    if (x % 1000 == 999)
        throw std::runtime_error("999");
    return x & 1;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 50000, found = 0, thrown = 0;
    std::map<unsigned, int> m;
    unsigned seed = 1;
    for (long i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        m[seed >> 12] += 1;
    }
    for (long i = 0; i < 4 * n; i++) {
        seed = seed * 1664525 + 1013904223;
        found += m.count(seed >> 12);
    }
    std::vector<std::unique_ptr<shape>> shapes;
    for (long i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        if (seed >> 31)
            shapes.push_back(std::make_unique<square>(seed % 10));
        else
            shapes.push_back(std::make_unique<circle>(seed % 10));
    }
    double sum = 0;
    for (int r = 0; r < 10; r++)
        for (auto &s : shapes)
            sum += s->area();
    for (int i = 0; i < 5000; i++)
        try {
            found += checked(i);
        } catch (const std::runtime_error &) {
            thrown++;
        }
    std::printf("%ld %ld %.3f\n", found, thrown, sum);
}
