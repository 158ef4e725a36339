/* kmpc.h - what clang hands to libomp.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FORESEE_KMPC_H
#define FORESEE_KMPC_H

#include <stdint.h>

/* Where a construct is, and what it is. */
typedef struct {
    int32_t reserved, flags, more[2];
    const char *source;
} ident_t;

enum { IDENT_SECTIONS = 0x400 };

#endif
