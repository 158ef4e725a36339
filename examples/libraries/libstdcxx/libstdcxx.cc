// SPDX-License-Identifier: Apache-2.0

// Algorithms of libstdc++'s parallel mode, which split sequences by thread number.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <parallel/algorithm>
#include <parallel/numeric>
#include <parallel/settings.h>
#include <vector>

static void checksum(const char *name, const std::vector<unsigned> &v) {
    unsigned long sum = 0;
    for (unsigned e : v) sum = (sum * 31 + e) % 1000000007;
    std::printf("%s %lu\n", name, sum);
}

int main(int argc, char **argv) {
    unsigned n = argc > 1 ? std::atoi(argv[1]) : 20000;
    __gnu_parallel::_Settings s;
    s.algorithm_strategy = __gnu_parallel::force_parallel;
    __gnu_parallel::_Settings::set(s);
    std::vector<unsigned> v(n);
    unsigned state = 1;
    for (unsigned &e : v) e = (state = state * 1664525 + 1013904223) >> 8;

    std::vector<unsigned> sorted = v, sums(n), half(n);
    __gnu_parallel::sort(sorted.begin(), sorted.end());
    checksum("sort", sorted);
    __gnu_parallel::partial_sum(v.begin(), v.end(), sums.begin());
    checksum("partial_sum", sums);
    __gnu_parallel::transform(v.begin(), v.end(), half.begin(), [](unsigned e) { return e / 2; });
    checksum("transform", half);
    __gnu_parallel::for_each(half.begin(), half.end(), [](unsigned &e) { e ^= e >> 3; });
    checksum("for_each", half);
    std::printf("accumulate %u\n", __gnu_parallel::accumulate(v.begin(), v.end(), 0u));
    std::printf("count %ld\n", static_cast<long>(__gnu_parallel::count_if(v.begin(), v.end(), [](unsigned e) { return e % 3 == 0; })));
    std::vector<unsigned> merged(2 * n);
    std::sort(half.begin(), half.end());
    __gnu_parallel::merge(sorted.begin(), sorted.end(), half.begin(), half.end(), merged.begin());
    checksum("merge", merged);
}
