package instructions

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// stepped is what follows the name of a function in the name of the number of its instructions.
const stepped = ".instructions"

// steps counts the instructions of calls of the C library one by one: a parent follows its child through them, as a debugger does. Where the system
// does not let it, nothing is known of them.
func (m *Measured) steps(ctx context.Context, compiler []string, dir string) error {
	counts, err := countSteps(ctx, compiler, dir, "", mathFunctions)
	for name, n := range counts {
		m.Functions[name+stepped] = n
	}
	return err
}

// countSteps counts the instructions of functions, of which some are defined by a text in C.
func countSteps(ctx context.Context, compiler []string, dir, definitions string, functions []mathFunction) (map[string]float64, error) {
	source, program := filepath.Join(dir, "steps.c"), filepath.Join(dir, "steps")
	if err := writeFile(source, stepsText(definitions, functions)); err != nil {
		return nil, err
	}
	if _, err := compile(ctx, compiler, dir, "-O1", "-fno-builtin", "-o", program, source, "-lm"); err != nil {
		return nil, err
	}
	out, err := output(ctx, program)
	if err != nil {
		return nil, ctx.Err()
	}
	counts := map[string]float64{}
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) == 2 {
			if n, err := strconv.ParseFloat(f[1], 64); err == nil && n > 0 {
				counts[f[0]] = n
			}
		}
	}
	return counts, nil
}

// stepsText is a C program that prints how many instructions calls of functions and of their twins for floats have, the middle of some arguments: those
// between two calls of a function that marks places, less those that are there beside a function of one instruction.
func stepsText(definitions string, functions []mathFunction) string {
	var s strings.Builder
	s.WriteString(`#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
enum { N = 3 };
static const double share[N] = {0.13, 0.51, 0.91};
static volatile double a, b, keep;
static volatile float af, bf;
__attribute__((noinline)) static void mark(void) { __asm__ volatile(""); }
__attribute__((naked, noinline)) static void nothing(void) { __asm__ volatile("ret"); }
typedef void (*function)(void);
typedef double (*one)(double);
typedef double (*two)(double, double);
typedef float (*onef)(float);
typedef float (*twof)(float, float);
` + definitions + `
static const struct {
    const char *name;
    int kind; /* 0 and 1: of one number and of two, 2 and 3: of floats */
    function is;
    double low, wide, low2, wide2;
} all[] = {
    {"", 0, nothing, 0, 1, 0, 1}, {"", 1, nothing, 0, 1, 0, 1}, {"", 2, nothing, 0, 1, 0, 1}, {"", 3, nothing, 0, 1, 0, 1},
`)
	for _, f := range functions {
		first, second := f.ranges[0], f.ranges[len(f.ranges)-1]
		for i, suffix := range []string{"", "f"} {
			fmt.Fprintf(&s, "    {\"%s\", %d, (function)%[1]s, %[3]g, %[4]g, %[5]g, %[6]g},\n", f.name+suffix, 2*i+len(f.ranges)-1, first[0], first[1]-first[0], second[0], second[1]-second[0])
		}
	}
	s.WriteString(`};
enum { ALL = sizeof all / sizeof *all };
static void call(int k, int i) {
    function f = all[k].is;
    af = a = all[k].low + share[i] * all[k].wide;
    bf = b = all[k].low2 + share[i] * all[k].wide2;
    switch (all[k].kind) {
    case 0: mark(); keep = ((one)f)(a); mark(); break;
    case 1: mark(); keep = ((two)f)(a, b); mark(); break;
    case 2: mark(); keep = ((onef)f)(af); mark(); break;
    case 3: mark(); keep = ((twof)f)(af, bf); mark(); break;
    }
}
static int rising(const void *x, const void *y) { return *(const long *)x < *(const long *)y ? -1 : *(const long *)x > *(const long *)y; }
int main(void) {
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
            _exit(1);
        raise(SIGSTOP);
        for (int k = 0; k < ALL; k++)
            for (int i = 0; i < N; i++)
                call(k, i);
        _exit(0);
    }
    static long counts[ALL][N];
    long count = 0, marks = 0;
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
        return 1;
    for (;;) {
        struct user_regs_struct r;
        if (ptrace(PTRACE_SINGLESTEP, child, 0, 0) != 0 || waitpid(child, &status, 0) != child)
            return 1;
        if (WIFEXITED(status))
            break;
        if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP || ptrace(PTRACE_GETREGS, child, 0, &r) != 0)
            return 1;
        count++;
        if (r.rip != (unsigned long)mark)
            continue;
        if (marks % 2 == 1 && marks / 2 < ALL * N)
            counts[marks / 2 / N][marks / 2 % N] = count;
        marks++;
        count = 0;
    }
    if (WEXITSTATUS(status) != 0 || marks != 2 * ALL * N)
        return 1;
    for (int k = 0; k < ALL; k++) {
        qsort(counts[k], N, sizeof(long), rising);
        if (k >= 4)
            printf("%s %ld\n", all[k].name, counts[k][N / 2] - counts[all[k].kind][N / 2] + 1);
    }
    return 0;
}
`)
	return s.String()
}
