// everything.cc - what compilers make of C++ that could go wrong when its assembly is rewritten: exceptions, virtual functions, templates in sections of
// their own, thread-local objects with destructors, lambdas.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

struct counted {
    static int alive;
    counted() { alive++; }
    counted(const counted &) { alive++; }
    ~counted() { alive--; }
};
int counted::alive = 0;

struct base {
    virtual ~base() = default;
    virtual double of(double x) const = 0;
};
template <int N>
struct power : base {
    double of(double x) const override
    {
        double p = 1;
        for (int i = 0; i < N; i++)
            p *= x;
        return p;
    }
};

static thread_local std::vector<int> own{1, 2, 3};

__attribute__((noinline)) static int thrower(int n)
{
    counted c;
    if (n % 3 == 0)
        throw std::out_of_range("three " + std::to_string(n));
    if (n % 5 == 0)
        throw n;
    return n;
}

__attribute__((noinline)) static int catcher(int n)
{
    try {
        counted c;
        return thrower(n);
    } catch (const std::exception &e) {
        return static_cast<int>(std::string(e.what()).size());
    }
}

int main()
{
    int sum = 0, whole = 0;
    for (int i = 1; i < 200; i++)
        try {
            sum += catcher(i);
        } catch (int n) {
            whole += n;
        }
    std::printf("exceptions %d %d, alive %d\n", sum, whole, counted::alive);
    std::vector<std::unique_ptr<base>> all;
    all.push_back(std::make_unique<power<2>>());
    all.push_back(std::make_unique<power<5>>());
    all.push_back(std::make_unique<power<9>>());
    double s = 0;
    for (int i = 0; i < 300; i++)
        s += all[i % 3]->of(i * 0.001);
    std::printf("virtual %.9f\n", s);
    std::map<std::string, int> words;
    for (int i = 0; i < 1000; i++)
        words["word " + std::to_string(i * 7919 % 97)] += i;
    int most = 0;
    std::for_each(words.begin(), words.end(), [&](const auto &w) { most = std::max(most, w.second); });
    std::printf("map %zu %d\n", words.size(), most);
    std::vector<long> v(5000);
    std::iota(v.begin(), v.end(), 0);
    std::sort(v.begin(), v.end(), [](long a, long b) { return a * 7919 % 5003 < b * 7919 % 5003; });
    std::function<long(long)> f = [&](long n) { return n < 2 ? n : f(n - 1) + f(n - 2); };
    own.push_back(static_cast<int>(v[17]));
    std::printf("sorted %ld %ld, lambda %ld, own %d\n", v[0], v[4999], f(15), own[3]);
}
