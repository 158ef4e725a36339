/* put.c - writes text to a file, without memory from the heap and without stdio, as a signal handler may.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "put.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static __thread struct out *to;

struct out *out_select(struct out *next) {
    struct out *before = to;
    to = next;
    return before;
}

void out_open(struct out *o, const char *path) {
    o->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    o->failed = o->fd < 0 ? errno : 0;
    o->used = 0;
    o->written = 0;
}

void out_flush(struct out *o) {
    for (size_t done = 0; done < o->used && !o->failed;) {
        ssize_t n = write(o->fd, o->text + done, o->used - done);
        if (n > 0) {
            done += (size_t)n;
            o->written += (size_t)n;
        } else if (n == 0 || errno != EINTR)
            o->failed = n < 0 ? errno : EIO;
    }
    o->used = 0;
}

void out_close(struct out *o) {
    out_flush(o);
    if (o->fd >= 0 && close(o->fd) != 0 && !o->failed)
        o->failed = errno;
    o->fd = -1;
}

void put(const char *text) {
    for (; *text; text++) {
        if (to->used == sizeof to->text)
            out_flush(to);
        to->text[to->used++] = *text;
    }
}

void put_number(uint64_t n, int digits) {
    char text[24], *at = text + sizeof text;
    *--at = 0;
    do {
        *--at = (char)('0' + n % 10);
        n /= 10;
    } while (n || at > text + sizeof text - 1 - digits);
    put(at);
}

void put_count(uint64_t n) {
    put(" ");
    put_number(n, 1);
}

void put_signed(int64_t n) {
    if (n < 0)
        put("-");
    put_number(n < 0 ? -(uint64_t)n : (uint64_t)n, 1);
}

void put_seconds(uint64_t ns) {
    put_count(ns / 1000000000u);
    put(".");
    put_number(ns % 1000000000u, 9);
}

void put_text(const char *word, const char *text) {
    put(word);
    put(" ");
    put(text);
    put("\n");
}
