// Loops with iterators, forwards and with a stride.
#include <vector>

void add(std::vector<int> &to, const std::vector<int> &from) {
    auto f = from.begin();
    for (auto t = to.begin(); t != to.end(); ++t, ++f) *t += *f;
}

long every(const std::vector<int> &v, int stride) {
    long s = 0;
    for (auto i = v.begin(); i < v.end() - stride; i += stride) s += *i;
    return s;
}

void backwards(std::vector<int> &v) {
    for (int i = static_cast<int>(v.size()) - 2; i >= 0; i--) v[i] += v[i + 1];
}

int main() {
    std::vector<int> a(600, 1), b(600, 2);
    add(a, b);
    long s = every(a, 4);
    backwards(a);
    return s == 3 * 149 && a[0] == 1800 ? 0 : 1;
}
