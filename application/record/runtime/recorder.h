/* recorder.h - parts of the recorder, among themselves.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Instrumented code appends to one buffer: for each segment of straight-line code that it runs, the address of the
 * segment's descriptor and then the addresses that the segment accesses. When the buffer is full, events.c encodes it
 * (docs/formats.md, "recording") and wire.c writes it out. */
#ifndef FORESEE_RECORDER_H
#define FORESEE_RECORDER_H

#include "foresee.h"

#include <stdbool.h>

/* One word of a segment: an address, or the length of a block copy. */
struct fr_slot {
    uint64_t last, stride;
};

/* foresee cc lays out an array of these in each object file; see instrument/emit.go and rewrite/rewrite.go. */
struct fr_segment {
    uint32_t number; /* in its module; fr_module adds the module's base */
    uint32_t words;
    uint64_t generation; /* of the piece in which next and slots are valid */
    struct fr_segment *next; /* ran after this one the last time */
    struct fr_slot *slots;
    const struct fr_loop *loop; /* what the segment is logged as; 0: once each time that it runs */
};

/* A segment that runs again and again, whose words move on by strides: logged once, with what a register is that counts, and behind it what the
   register has become. */
struct fr_loop {
    int64_t step; /* that the register moves on by each time */
    uint64_t narrow; /* it has 32 bits */
    int64_t strides[];
};

/* Types of records. */
enum fr_record {
    FR_HEADER = 'H', FR_MODULE = 'M', FR_IMAGE = 'X', FR_SITE = 'D',
    FR_PIECE = 'P', FR_EVENTS = 'E', FR_BARRIER = 'B', FR_ENTER = 'R', FR_LEAVE = 'r',
    FR_ALLOCATE = 'A', FR_FREE = 'F', FR_MEMORY = 'S', FR_NOTE = 'W', FR_END = 'Z',
};

/* wire.c */
void fr_wire_open(int descriptor);
void fr_wire_close(void);
bool fr_wire_is_open(void);
void fr_wire_record(int type, int thread, const void *data, size_t bytes);
void fr_wire_flush(void);

/* events.c */
void fr_encode(void);          /* encodes what is in the buffer, and empties it */
void fr_piece_begin(int thread, const struct fr_piece *piece);
void fr_piece_end(void);
void fr_events_flush(void);    /* writes what was encoded, in the middle of a piece */
bool fr_repeats(void);         /* the buffer is of a loop that waits for another thread */
extern bool fr_open;           /* whether accesses are recorded, or dropped */
extern bool fr_waiting;        /* the last buffer was of a loop that only waits */
extern bool fr_in_region;      /* whether a parallel region runs */

/* recorder.c */
void fr_end(int how, int code); /* the last record */
enum { FR_EXITED = 0, FR_SIGNALLED = 1, FR_FAILED = 2 };

/* memory that is not the program's heap */
void *fr_map(size_t bytes);

static inline unsigned char *fr_put(unsigned char *p, uint64_t x)
{
    for (; x >= 128; x >>= 7)
        *p++ = (unsigned char)(x | 128);
    *p++ = (unsigned char)x;
    return p;
}

/* A difference modulo 2^64, small in either direction. */
static inline uint64_t fr_zigzag(uint64_t d) { return d << 1 ^ (uint64_t)((int64_t)d >> 63); }

#endif
