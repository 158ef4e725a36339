#define _GNU_SOURCE
#include "probe.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE (2ul << 20)

static struct {
    char *at;
    size_t bytes, mapped;
    int huge;
} held;

void buffer_drop(void) {
    if (held.at)
        munmap(held.at, held.mapped);
    memset(&held, 0, sizeof held);
}

/* Whether large arrays lie in huge pages though nobody asks. */
static int huge_by_default(void) {
    char text[128] = "";
    FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (!f)
        return 0;
    int always = fgets(text, sizeof text, f) && strstr(text, "[always]");
    fclose(f);
    return always;
}

double usual_page(void) {
    return huge_by_default() ? HUGE_PAGE : sysconf(_SC_PAGESIZE);
}

unsigned long buffer_given;

char *buffer(size_t bytes, int huge) {
    buffer_given++;
    if (huge == USUAL)
        huge = huge_by_default();
    if (held.at && held.bytes >= bytes && held.huge == huge)
        return held.at;
    buffer_drop();
    size_t mapped = (bytes + 2 * HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    char *at = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    madvise(at, mapped, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#endif
    memset(at, 1, mapped);
    held.at = at;
    held.bytes = bytes;
    held.mapped = mapped;
    held.huge = huge;
    return at;
}

double huge_bytes(void) {
    FILE *f = fopen("/proc/self/smaps", "r");
    if (!f)
        return 0;
    char line[512];
    unsigned long low, high, kib, sum = 0;
    int inside = 0;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%lx-%lx ", &low, &high) == 2)
            inside = low < (unsigned long)held.at + held.mapped && high > (unsigned long)held.at;
        else if (inside && sscanf(line, "AnonHugePages: %lu kB", &kib) == 1)
            sum += kib;
    }
    fclose(f);
    return 1024.0 * sum;
}

/* hold BYTES HUGE: answers with the bytes in huge pages; 0 bytes give the buffer back */
void hold_command(char *arguments) {
    size_t bytes;
    int huge;
    if (sscanf(arguments, "%zu %d", &bytes, &huge) != 2) {
        refuse("hold BYTES HUGE");
        return;
    }
    double in_huge = 0;
    if (bytes == 0)
        buffer_drop();
    else if (buffer(bytes, huge))
        in_huge = huge_bytes();
    else {
        refuse("no memory for %zu bytes", bytes);
        return;
    }
    answer(&in_huge, 1);
}
