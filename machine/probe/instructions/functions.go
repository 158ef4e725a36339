package instructions

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"foresee/machine"
)

// The functions of the C library that loops of numbers call, of one number and of two; each has a twin for floats, with an f.
var (
	functionsOfOne = []string{
		"exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "erf", "erfc",
		"cbrt", "sqrt", "floor", "ceil", "round", "trunc", "rint", "fabs",
	}
	functionsOfTwo = []string{"pow", "atan2", "hypot", "fmod", "fmax", "fmin"}
)

// functions times calls of the C library, and how many bytes it copies and sets in a cycle.
func (m *Measured) functions(ctx context.Context, compiler []string, dir string) error {
	source, program := filepath.Join(dir, "functions.c"), filepath.Join(dir, "functions")
	if err := writeFile(source, functionsText()); err != nil {
		return err
	}
	if _, err := compile(ctx, compiler, dir, "-O1", "-fno-builtin", "-o", program, source, "-lm"); err != nil {
		return err
	}
	for range functionRuns {
		out, err := output(ctx, program)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(out)) {
			f := strings.Fields(line)
			if len(f) != 2 {
				continue
			}
			v, err := strconv.ParseFloat(f[1], 64)
			if old, known := m.Functions[f[0]]; err == nil && v > 0 && (!known || v < old) {
				m.Functions[f[0]] = v
			}
		}
	}
	return nil
}

// functionRuns is how often each function is timed, the least of some bursts each. Chosen.
const functionRuns = 4

// functionsText is a C program that prints for each function the cycles between two calls, and from one to another that needs its result; a
// product and a sum are in that chain, and are taken off.
func functionsText() string {
	var s strings.Builder
	s.WriteString("#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n#include <x86intrin.h>\n" + timerText + `
enum { N = 64, TIMES = 30 };
double x[N], y[N], z[N];
float xf[N], yf[N], zf[N];
static volatile double keep;
static char from[16384], to[16384];
#define LEAST(NAME, COUNT, BODY) { uint64_t best = -1; unsigned cpu; for (int r = 0; r < TIMES; r++) { uint64_t begun = __rdtscp(&cpu); BODY; \
    uint64_t took = __rdtscp(&cpu) - begun; best = took < best ? took : best; } printf("%s %.3f\n", NAME, best / t / (COUNT)); }
`)
	s.WriteString("int main(void) {\n    double t = tick(20);\n    for (int i = 0; i < N; i++) { x[i] = 0.5 + (i * 37 % 64) / 150.0; y[i] = 1.1 + (i * 29 % 64) / 60.0; xf[i] = x[i]; yf[i] = y[i]; }\n    memset(from, 1, sizeof from);\n")
	both := func(name, call, type_ string) {
		to := map[string]string{"double": "z", "float": "zf"}[type_]
		fmt.Fprintf(&s, "    LEAST(%q, N, { for (int i = 0; i < N; i++) %s[i] = %s; })\n", name, to, fmt.Sprintf(call, ""))
		fmt.Fprintf(&s, "    LEAST(%q, N, { %s last = 0; for (int i = 0; i < N; i++) last = %s; keep = last; })\n", name+".chain", type_, fmt.Sprintf(call, " + 0 * last"))
	}
	for _, f := range functionsOfOne {
		both(f, f+"(x[i]%s)", "double")
		both(f+"f", f+"f(xf[i]%s)", "float")
	}
	for _, f := range functionsOfTwo {
		both(f, f+"(y[i], x[i]%s)", "double")
		both(f+"f", f+"f(yf[i], xf[i]%s)", "float")
	}
	s.WriteString("    LEAST(\"memcpy.long\", 1, memcpy(to, from, 12288))\n    LEAST(\"memcpy.short\", 1, memcpy(to, from, 4096))\n" +
		"    LEAST(\"memset.long\", 1, memset(to, 1, 12288))\n    LEAST(\"memset.short\", 1, memset(to, 1, 4096))\n    return 0;\n}\n")
	return s.String()
}

// libraryFunctions are the functions that were timed, as machine files have them.
func (m *Measured) libraryFunctions() []machine.LibraryFunction {
	beside := m.perInstruction("mulsd x,x|chain") + m.perInstruction("addsd x,x|chain")
	if m.VEX {
		beside = m.perInstruction("vmulsd x,x,x|chain") + m.perInstruction("vaddsd x,x,x|chain")
	}
	var all []machine.LibraryFunction
	for _, list := range [][]string{functionsOfOne, functionsOfTwo} {
		for _, base := range list {
			for _, name := range []string{base, base + "f"} {
				cycles, ok := m.Functions[name]
				if !ok {
					continue
				}
				latency := max(1, m.Functions[name+".chain"]-beside)
				all = append(all, machine.LibraryFunction{Name: name, Latency: hundredths(max(latency, cycles)), Cycles: hundredths(cycles)})
			}
		}
	}
	return all
}

// bytes is how many bytes a function of memory handles in a cycle, by what the longer of two takes longer; 0 where that is not known.
func (m *Measured) bytes(function string) float64 {
	long, short := m.Functions[function+".long"], m.Functions[function+".short"]
	if long <= short {
		return 0
	}
	return hundredths((12288 - 4096) / (long - short))
}
