/* wire.c - records, one after the other, into a pipe or file.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A record is 1 byte type, 1 byte 0, 2 bytes thread, 4 bytes length, little endian, and its content. */
#include "recorder.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The C library's write under a name that stays its own: that of the program lets other virtual threads run. */
ssize_t __write(int, const void *, size_t);

enum { BLOCK = 1 << 18, HEAD = 8 };

static unsigned char block[BLOCK];
static size_t used;
static int wire = -1;

bool fr_wire_is_open(void) { return wire >= 0; }

void fr_wire_open(int descriptor)
{
    wire = descriptor;
    struct stat s;
    if (fstat(wire, &s) == 0 && S_ISREG(s.st_mode))
        signal(SIGXFSZ, SIG_IGN); /* a file that is too large is an error of write */
}

void fr_wire_close(void)
{
    if (wire >= 0)
        close(wire);
    wire = -1;
    used = 0;
}

/* A signal may have brought us here, so this uses neither the heap nor stdio's streams. */
static void say_lost(int error)
{
    char link[32], path[512], text[1024];
    snprintf(link, sizeof link, "/proc/self/fd/%d", wire);
    ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    const char *why = error == ENOSPC ? "no space left on the disk" : error == EDQUOT ? "the disk quota is used up"
                    : error == EFBIG ? "files may not become so large (ulimit -f)" : error == EIO ? "the disk failed" : "the system refuses it";
    int length = snprintf(text, sizeof text, "foresee: cannot write the recording to %s: %s (error %d); the program goes on unrecorded, "
                                             "and the recording is cut off here\n", n > 0 ? path : "its file", why, error);
    if (length > 0 && __write(STDERR_FILENO, text, (size_t)length) < 0)
        return; /* there is nobody else to tell */
}

/* When nobody reads any more, or nothing more can be written, the program goes on unrecorded. */
static void put(const unsigned char *p, size_t n)
{
    while (n > 0 && wire >= 0) {
        ssize_t k = __write(wire, p, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            int error = k < 0 ? errno : EIO;
            if (error != EPIPE)
                say_lost(error);
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
