// cxx.cc - exceptions, thread-local objects, class types in clauses.
//
// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

struct Value {
    long v;
    Value(long n = 0) : v(n) {}
    Value(const Value &o) : v(o.v) {}
    Value &operator=(const Value &o) {
        v = o.v;
        return *this;
    }
    ~Value() { v = -1; }
};
#pragma omp declare reduction(+ : Value : omp_out.v += omp_in.v) initializer(omp_priv = Value(0))

thread_local std::vector<int> seen;
extern Value tp;
#pragma omp threadprivate(tp)
Value tp(11);

static int may_throw(int i) {
    if (i % 3 == 0)
        throw std::runtime_error(std::to_string(i));
    return i;
}

static void exceptions() {
    long caught = 0, sum = 0;
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : caught, sum)
    for (int i = 0; i < 300; i++) {
        try {
            sum += may_throw(i);
        } catch (const std::exception &e) {
            try {
                may_throw(i * 3);
            } catch (const std::exception &inner) {
                caught += std::stol(inner.what()) - 3 * std::stol(e.what()) + 1;
            }
#pragma omp critical
            caught += std::stol(e.what()) == i;
            if (!std::current_exception() || std::stol(e.what()) != i)
                caught += 1000000;
        }
        if (std::uncaught_exceptions())
            caught += 1000000;
    }
    std::printf("exceptions %ld %ld\n", caught, sum);
}

// Every thread holds an exception while the others catch theirs.
static void interleaved() {
    int good = 0;
#pragma omp parallel reduction(+ : good)
    {
        std::string me = std::to_string(omp_get_thread_num());
        std::exception_ptr kept;
        try {
            throw me;
        } catch (std::string &s) {
            kept = std::current_exception();
            good += s == me;
        }
        try {
            std::rethrow_exception(kept);
        } catch (std::string &s) {
#pragma omp critical
            good += s == me;
        }
    }
    std::printf("interleaved %d\n", good);
}

static void objects() {
    Value total(5);
    std::vector<double> v(100, 1.5);
    double d = 0;
#pragma omp parallel firstprivate(v) reduction(+ : total, d)
    {
        seen.push_back(omp_get_thread_num());
        v.push_back(2);
        total.v += (long)v.size() + (long)seen.size() + tp.v;
        tp.v++;
        d += v[3];
    }
    Value last;
#pragma omp parallel for lastprivate(last) schedule(guided)
    for (auto it = v.begin(); it < v.end(); ++it)
        last.v = it - v.begin();
    long tasks = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 10; i++) {
        Value x(i);
#pragma omp task firstprivate(x) shared(tasks)
#pragma omp atomic
        tasks += x.v;
    }
    tp.v = 99;
    long copied = 0;
#pragma omp parallel copyin(tp) reduction(+ : copied)
    copied += tp.v;
    std::printf("objects %ld %.1f %ld %ld %ld\n", total.v, d, last.v, tasks, copied);
}

int main() {
    exceptions();
    interleaved();
    objects();
    std::printf("end\n");
    return 0;
}
