package instructions

import (
	"fmt"
	"strings"
)

// service is a function of the C library that is no mathematics, as a loop over i calls it: what goes before is not timed.
type service struct{ name, before, call string }

// services are timed with words of 8 to 24 letters, numbers of up to five digits, and blocks of 16 to 256 bytes, each of them another.
var services = []service{
	{"malloc", "EACH { free(place[i]); }", "place[i] = malloc(size[i])"},
	{"free", "EACH { place[i] = malloc(size[i]); }", "free(place[i]); place[i] = 0"},
	{"calloc", "EACH { free(place[i]); }", "place[i] = calloc(size[i], 1)"},
	{"realloc", "", "place[i] = realloc(place[i], size[(i + times) % N])"},
	{"strdup", "EACH { free(place[i]); }", "place[i] = strdup(word[i])"},
	{"rand", "", "keep = rand()"},
	{"random", "", "keep = random()"},
	{"drand48", "", "keep = drand48() * 5"},
	{"time", "", "keep = time(0)"},
	{"clock", "", "keep = clock()"},
	{"clock_gettime", "", "clock_gettime(CLOCK_MONOTONIC, &now)"},
	{"fprintf", "", "fprintf(nothing, \"%d\\n\", number[i])"},
	{"snprintf", "", "snprintf(room[i], sizeof room[i], \"%d\", number[i])"},
	{"fputs", "", "fputs(word[i], nothing)"},
	{"fwrite", "", "fwrite(&real[i], sizeof real[i], 1, nothing)"},
	{"fputc", "", "fputc(word[i][0], nothing)"},
	{"fgets", "START", "keep = (long)fgets(room[i], sizeof room[i], lines)"},
	{"fread", "START", "keep = fread(room[i], 8, 1, lines)"},
	{"fgetc", "START", "keep = fgetc(lines)"},
	{"sscanf", "", "keep = sscanf(written[i], \"%lf\", &real[i])"},
	{"strtol", "", "keep = strtol(written[i], 0, 10)"},
	{"strtod", "", "keep = strtod(written[i], 0)"},
	{"strlen", "", "keep = strlen(word[i])"},
	{"strcmp", "", "keep = strcmp(word[i], word[(i + times) % N])"},
	{"strcpy", "", "strcpy(room[i], word[i])"},
	{"strcat", "EACH { room[i][0] = 0; }", "strcat(room[i], word[i])"},
	{"strchr", "", "keep = (long)strchr(word[i], 'q')"},
	{"strstr", "", "keep = (long)strstr(word[i], \"qx\")"},
	{"strtok", "EACH { sprintf(room[i], \"%s %s\", word[i], word[i]); }", "keep = (long)strtok(room[i], \" \")"},
	{"memcmp", "", "keep = memcmp(word[i], room[i], 8 + number[i] % 8)"},
	{"memchr", "", "keep = (long)memchr(word[i], 'q', 8 + number[i] % 8)"},
	{"toupper", "", "keep = toupper(word[i][0])"},
	{"__errno_location", "", "keep = (long)__errno_location()"},
	{"qsort", "", ""}, // what it does for each of the comparisons, without these
}

// servicesText is a C program that prints the cycles of a call of each of the services, the least of some bursts, without those of the loop.
func servicesText() string {
	var s strings.Builder
	s.WriteString("#define _GNU_SOURCE\n#include <ctype.h>\n#include <errno.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <time.h>\n#include <x86intrin.h>\n" + timerText + `
enum { N = 256, TIMES = 60, SORTED = 2048 };
static volatile long keep;
static void *place[N];
static size_t size[N];
static char word[N][32], room[N][128], written[N][32];
static int number[N];
static double real[N];
static long key[SORTED], compared;
static uint64_t state = 88172645463325252u;
static uint64_t any(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 20;
}
static int counting(const void *x, const void *y) {
    long a = *(const long *)x, b = *(const long *)y;
    compared++;
    return (a > b) - (a < b);
}
static int (*volatile comparing)(const void *, const void *) = counting;
#define EACH for (int i = 0; i < N; i++)
#define START { rewind(lines); keep = (long)fgets(room[0], sizeof room[0], lines); }
#define LEAST(BEFORE, BODY) ({ uint64_t best = -1; unsigned cpu; for (int times = 1; times <= TIMES; times++) { BEFORE; uint64_t begun = __rdtscp(&cpu); BODY; \
    uint64_t took = __rdtscp(&cpu) - begun; best = took < best ? took : best; } (double)best; })
int main(void) {
    struct timespec now;
    FILE *nothing = fopen("/dev/null", "w"), *lines = tmpfile();
    if (!nothing || !lines)
        return 1;
    EACH {
        int letters = 8 + any() % 17;
        for (int k = 0; k < letters; k++)
            word[i][k] = 'a' + any() % 26;
        size[i] = 16 + any() % 240;
        number[i] = any() % 100000;
        sprintf(written[i], "%d", number[i]);
        fprintf(lines, "%s %d %s\n", word[i], number[i], word[i]);
    }
    fprintf(lines, "the last\n");
    double t = tick(20), loop = LEAST(, EACH { keep = i; });
`)
	for _, x := range services {
		if x.call != "" {
			fmt.Fprintf(&s, "    printf(\"%s %%.2f\\n\", (LEAST(%s, EACH { %s; }) - loop) / t / N);\n", x.name, x.before, x.call)
		}
	}
	s.WriteString(`    double sort = LEAST({ for (int i = 0; i < SORTED; i++) key[i] = any(); compared = 0; }, qsort(key, SORTED, sizeof *key, counting)), all = compared;
    double alone = LEAST(, for (int i = 0; i + 1 < SORTED; i++) keep = comparing(&key[i], &key[i + 1])) / (SORTED - 1);
    printf("qsort %.2f\n", (sort / all - alone) / t);
    return 0;
}
`)
	return s.String()
}
