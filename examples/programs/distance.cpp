// SPDX-License-Identifier: Apache-2.0
// distance.cpp - the fewest changes from each word to each other, and the words in order of them. usage: distance [WORDS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static int changes(const std::string &a, const std::string &b)
{
    std::vector<int> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); j++)
        row[j] = int(j);
    for (size_t i = 1; i <= a.size(); i++) {
        int corner = row[0];
        row[0] = int(i);
        for (size_t j = 1; j <= b.size(); j++) {
            int above = row[j];
            row[j] = a[i - 1] == b[j - 1] ? corner : 1 + std::min(corner, std::min(above, row[j - 1]));
            corner = above;
        }
    }
    return row[b.size()];
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 220;
    std::vector<std::string> words;
    unsigned seed = 5;
    for (size_t k = 0; k < n; k++) {
        std::string w;
        for (int i = 0; i < 8 + int(seed >> 28); i++)
            w += char('a' + ((seed = seed * 1664525 + 1013904223) >> 24) % 6);
        words.push_back(w);
    }
    std::vector<std::pair<int, std::string>> far;
    for (const auto &a : words) {
        int sum = 0;
        for (const auto &b : words)
            sum += changes(a, b);
        far.emplace_back(sum, a);
    }
    std::sort(far.begin(), far.end());
    std::printf("%s %d, %s %d\n", far.front().second.c_str(), far.front().first, far.back().second.c_str(), far.back().first);
    return 0;
}
