#include "probe.h"

#include <stdio.h>

/* Streams of lines in sequence, passed over in turn: a line of each, then the next line of each. Each load waits for the one before, so that
   what is not prefetched shows its whole latency, and the core's window cannot reach ahead by itself. */

enum {
    MOST_STREAMS = 64,
    PAGE_BYTES = 4096,
    SKEW = 5 /* lines by which a stream is ahead of the one before: they come to other sets, and to the ends of pages at other times */
};

static struct stream {
    char *begin, *end, *at;
} streams[MOST_STREAMS];

/* Deals the buffer to k streams, an odd number of pages each, as strides that are powers of two come to few banks of memory, and begins so
   many lines into each. */
static size_t deal(char *buffer, size_t bytes, int k, size_t from) {
    size_t pages = bytes / PAGE_BYTES / k;
    pages -= pages > 1 && pages % 2 == 0;
    size_t part = pages * PAGE_BYTES, lines = part / LINE_BYTES;
    for (int j = 0; j < k && lines; j++) {
        char *begin = buffer + j * part;
        streams[j] = (struct stream){begin, begin + part, begin + (from + SKEW * j) % lines * LINE_BYTES};
    }
    return lines;
}

/* So many lines of each of k streams. The buffer holds anything; of what is loaded the mask leaves nothing. */
static uint64_t follow_streams(int k, uint64_t rows, uint64_t loaded, uint64_t mask) {
    while (rows--)
        for (struct stream *s = streams; s < streams + k; s++) {
            loaded = *(volatile uint64_t *)(s->at + (loaded & mask));
            s->at += LINE_BYTES;
            if (s->at == s->end)
                s->at = s->begin;
        }
    return loaded;
}

/* streams K BYTES WARM HUGE SAMPLES NS: ns a line, of K streams that lie in so many bytes together. With WARM all of them were passed over
   just before, so that a cache holds what it can; else the streams go on where those of the last command ended. */
void streams_command(char *arguments) {
    static uint64_t at; /* lines into each stream */
    int k, warm, huge, samples;
    size_t bytes, lines;
    double ns;
    uint64_t mask = 0, loaded = 0;
    if (sscanf(arguments, "%d %zu %d %d %d %lf", &k, &bytes, &warm, &huge, &samples, &ns) != 6 || k < 1 || k > MOST_STREAMS || samples < 1 ||
        samples > MOST_SAMPLES || bytes / PAGE_BYTES / k < 2) {
        refuse("streams K BYTES WARM HUGE SAMPLES NS");
        return;
    }
    char *buffered = buffer(bytes, huge);
    if (!buffered) {
        refuse("no memory for %zu bytes", bytes);
        return;
    }
    __asm__ volatile("" : "+r"(mask)); /* the compiler does not know that it is 0 */
    lines = deal(buffered, bytes, k, at);
    uint64_t train = PAGE_BYTES / LINE_BYTES, rows = train; /* lines of each that prefetchers find the streams by */
    for (int i = -1; i < samples; i++) {
        if (burst_cold() || i < 0)
            loaded = follow_streams(k, warm ? lines : train, loaded, mask);
        burst_begin();
        loaded = follow_streams(k, rows, loaded, mask);
        double took = burst_end();
        if (i >= 0)
            burst_keep(i, (double)rows * k);
        else if (took > 0)
            rows = ns * rows / took > train ? ns * rows / took : train;
        at += rows + train;
    }
    keep(loaded);
    burst_answer(samples);
}
