// ends.cc - ends inside a region, or by an exception that nobody catches.
//
// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

struct Loud {
    int n = 0;
    ~Loud() { std::printf("destroyed %d\n", n); }
};
thread_local Loud loud;

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    loud.n = 1;
    if (!std::strcmp(how, "main"))
        throw std::runtime_error("out of main");
#pragma omp parallel num_threads(3)
    {
        loud.n = 10 + omp_get_thread_num();
#pragma omp barrier
        if (!std::strcmp(how, "region") && omp_get_thread_num() == 1)
            throw std::runtime_error("out of the region");
        if (!std::strcmp(how, "exit") && omp_get_thread_num() == 2)
            std::exit(5);
    }
    return 0;
}
