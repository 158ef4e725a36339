// SPDX-License-Identifier: Apache-2.0
/* compress.c - text becomes literals and copies of what came before, found by a table of hashes, and text again. usage: compress [BYTES] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 14, LEAST = 4, MOST = 255, FARTHEST = 65535 };

static unsigned hash(const unsigned char *p)
{
    unsigned v;
    memcpy(&v, p, sizeof v);
    return v * 2654435761u >> 18;
}

static size_t pack(const unsigned char *in, size_t n, unsigned char *out)
{
    static size_t seen[SLOTS];
    size_t at = 0, m = 0;
    while (at < n) {
        size_t length = 0, from = 0;
        if (at + LEAST < n) {
            unsigned h = hash(in + at);
            from = seen[h];
            seen[h] = at + 1;
            if (from > 0 && at - --from <= FARTHEST)
                while (length < MOST && at + length < n && in[from + length] == in[at + length])
                    length++;
        }
        if (length >= LEAST) {
            out[m++] = (unsigned char)length;
            out[m++] = (unsigned char)(at - from);
            out[m++] = (unsigned char)((at - from) >> 8);
            at += length;
        } else {
            out[m++] = 0;
            out[m++] = in[at++];
        }
    }
    return m;
}

static size_t unpack(const unsigned char *in, size_t n, unsigned char *out)
{
    size_t m = 0;
    for (size_t at = 0; at < n;) {
        size_t length = in[at++];
        if (length == 0) {
            out[m++] = in[at++];
            continue;
        }
        size_t back = in[at] | (size_t)in[at + 1] << 8;
        at += 2;
        for (size_t i = 0; i < length; i++, m++)
            out[m] = out[m - back];
    }
    return m;
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], 0, 10) : 600000;
    unsigned char *text = malloc(n + 16), *packed = malloc(3 * n + 16), *again = malloc(n + 16);
    static const char *words[] = {"cache ", "line ", "of ", "the ", "memory ", "is ", "a ", "predicted ", "time ", "\n", "thread ", "and ", "core "};
    unsigned seed = 99;
    for (size_t i = 0; i < n;) {
        seed = seed * 1664525 + 1013904223;
        const char *w = words[(seed >> 16) % 13];
        if (seed >> 28 == 0)
            text[i++] = (unsigned char)('0' + (seed >> 20) % 10);
        while (*w && i < n)
            text[i++] = (unsigned char)*w++;
    }
    size_t m = pack(text, n, packed);
    size_t k = unpack(packed, m, again);
    printf("%zu bytes in %zu, %s\n", n, m, k == n && memcmp(text, again, n) == 0 ? "the same again" : "something else");
    free(text);
    free(packed);
    free(again);
    return 0;
}
