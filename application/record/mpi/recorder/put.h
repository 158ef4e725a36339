/* put.h - writes text to a file, without memory from the heap and without stdio, as a signal handler may.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef FORESEE_MPI_PUT_H
#define FORESEE_MPI_PUT_H
#include <stddef.h>
#include <stdint.h>

struct out {
    int fd;
    size_t used;
    int failed; /* errno of what failed first */
    uint64_t written;
    char text[1 << 14];
};

/* out_select makes what this thread puts go there, and gives where it went before. */
struct out *out_select(struct out *to);
void out_open(struct out *o, const char *path);
void out_flush(struct out *o);
void out_close(struct out *o);

void put(const char *text);
void put_number(uint64_t n, int digits);
void put_count(uint64_t n);  /* behind a space */
void put_signed(int64_t n);
void put_seconds(uint64_t ns); /* behind a space */
void put_text(const char *word, const char *text);
#endif
