/* wire.c - records, one after the other, into a pipe or file.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A record is 1 byte type, 1 byte 0, 2 bytes thread, 4 bytes length, little endian, and its content. */
#include "recorder.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 18, HEAD = 8 };

static unsigned char block[BLOCK];
static size_t used;
static int wire = -1;

bool fr_wire_is_open(void) { return wire >= 0; }

void fr_wire_open(int descriptor) { wire = descriptor; }

void fr_wire_close(void)
{
    if (wire >= 0)
        close(wire);
    wire = -1;
    used = 0;
}

/* When nobody reads any more, the program goes on unrecorded. */
static void put(const unsigned char *p, size_t n)
{
    while (n > 0 && wire >= 0) {
        ssize_t k = write(wire, p, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            fr_wire_close();
            return;
        }
        p += k;
        n -= (size_t)k;
    }
}

void fr_wire_flush(void)
{
    size_t n = used;
    used = 0;
    put(block, n);
}

void fr_wire_record(int type, int thread, const void *data, size_t bytes)
{
    if (wire < 0)
        return;
    int saved = errno;
    if (used + HEAD + bytes > BLOCK)
        fr_wire_flush();
    unsigned char head[HEAD] = {(unsigned char)type, 0, (unsigned char)thread, (unsigned char)(thread >> 8),
                                (unsigned char)bytes, (unsigned char)(bytes >> 8), (unsigned char)(bytes >> 16),
                                (unsigned char)(bytes >> 24)};
    memcpy(block + used, head, HEAD);
    used += HEAD;
    if (bytes > BLOCK - used) {
        fr_wire_flush();
        put(data, bytes);
    } else {
        memcpy(block + used, data, bytes);
        used += bytes;
    }
    errno = saved;
}
