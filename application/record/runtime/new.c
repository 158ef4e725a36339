/* new.c - C++: an array is named after the caller of operator new.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

extern const void *fr_allocation_pc;

#define WRAP(symbol, parameters, arguments)                                                                            \
    void *__real_##symbol parameters;                                                                                  \
    void *__wrap_##symbol parameters;                                                                                  \
    void *__wrap_##symbol parameters                                                                                   \
    {                                                                                                                  \
        fr_allocation_pc = __builtin_return_address(0);                                                                \
        void *p = __real_##symbol arguments;                                                                           \
        fr_allocation_pc = 0;                                                                                          \
        return p;                                                                                                      \
    }

WRAP(_Znwm, (size_t n), (n))
WRAP(_Znam, (size_t n), (n))
WRAP(_ZnwmSt11align_val_t, (size_t n, size_t alignment), (n, alignment))
WRAP(_ZnamSt11align_val_t, (size_t n, size_t alignment), (n, alignment))
