/* gomp.h - regions that gcc opens together with a loop.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FORESEE_GOMP_H
#define FORESEE_GOMP_H

#include "team.h"

#pragma GCC visibility push(hidden)
void gomp_parallel(void (*function)(void *), void *data, unsigned threads, const struct loop *loop, const void *pc);
uint64_t gomp_trips(long start, long end, long step);
#pragma GCC visibility pop

void GOMP_taskgroup_reduction_register(uintptr_t *data);

#endif
