// Thread-local objects with constructors and destructors, and thread-local variables of the C++ library (call_once).
#include <cstdio>
#include <mutex>
#include <set>
#include <vector>

struct Pool;
static std::vector<Pool *> all;
static std::mutex lock;

struct Pool {
    double sum = 0;
    Pool() {
        std::lock_guard<std::mutex> l(lock);
        all.push_back(this);
    }
    ~Pool() { std::printf("gone %d\n", sum >= 0); }
};

static thread_local Pool pool;
template <class T> struct Counter { static thread_local T value; };
template <class T> thread_local T Counter<T>::value = 1;

void library_once(int *times);

int main() {
    std::set<long *> places;
    std::once_flag once;
    int times = 0, library = 0;
#pragma omp parallel
    {
        thread_local std::vector<int> own(3, 1);
#pragma omp for schedule(static)
        for (int i = 0; i < 1000; i++)
            pool.sum += i + (own[i % 3]++ < 0);
#pragma omp critical
        {
            places.insert(&Counter<long>::value);
            std::call_once(once, [&] { times++; });
            library_once(&library);
        }
    }
    double total = 0;
    for (Pool *p : all)
        total += p->sum;
    std::printf("%g %d %d %d\n", total, all.size() == places.size(), times, library);
}
