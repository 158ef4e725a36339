#define _GNU_SOURCE
#include "probe.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define LEAST_PAGES 256

/* Touches so many pages first, as arrays get them, and gives them back; 0 where there is no memory. */
static int touch(size_t pages, size_t page) {
    volatile char *at = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return 0;
    for (size_t i = 0; i < pages; i++)
        at[i * page] = 1;
    return munmap((void *)at, pages * page) == 0;
}

/* fault SAMPLES NS: bursts of about so many ns, ns a page of the usual size that is touched first and given back */
void fault_command(char *arguments) {
    int samples;
    double ns;
    if (sscanf(arguments, "%d %lf", &samples, &ns) != 2 || samples < 1 || samples > MOST_SAMPLES) {
        refuse("fault SAMPLES NS");
        return;
    }
    size_t page = sysconf(_SC_PAGESIZE), most = usual_page() / page, pages = most > LEAST_PAGES ? 4 * most : LEAST_PAGES;
    double begin = now_ns();
    if (!touch(pages, page)) {
        refuse("no memory for %zu pages", pages);
        return;
    }
    size_t times = ns / (now_ns() - begin) + 1;
    for (int i = 0; i < samples; i++) {
        burst_begin();
        for (size_t t = 0; t < times; t++)
            touch(pages, page);
        burst_end();
        burst_keep(i, pages * times);
    }
    burst_answer(samples);
}
