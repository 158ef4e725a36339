#include <mutex>

void library_once(int *times) {
    static std::once_flag once;
    std::call_once(once, [&] { ++*times; });
}
