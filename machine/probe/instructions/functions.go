package instructions

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"foresee/machine"
)

// mathFunction is a function of the C library that loops of numbers call, with the arguments that programs give it. Where it takes another way for
// other arguments (sin by the octant, erfc by four ranges) and these come in no order, branches are guessed wrongly, which doubles its time and more:
// it is timed for those of the whole range in no order, and for those of a part of it. A function of two numbers has two ranges. Each has a twin for
// floats, with an f.
type mathFunction struct {
	name   string
	ranges [][2]float64
}

// The ranges are chosen: a turn of angles, what lies around 1 of what is defined for positive numbers, the range in which what saturates does not.
var mathFunctions = []mathFunction{
	{"exp", oneRange(-5, 5)},
	{"exp2", oneRange(-5, 5)},
	{"expm1", oneRange(-2, 2)},
	{"log", oneRange(0.1, 10)},
	{"log2", oneRange(0.1, 10)},
	{"log10", oneRange(0.1, 10)},
	{"log1p", oneRange(-0.5, 5)},
	{"sin", oneRange(-math.Pi, math.Pi)},
	{"cos", oneRange(-math.Pi, math.Pi)},
	{"tan", oneRange(-math.Pi, math.Pi)},
	{"asin", oneRange(-1, 1)},
	{"acos", oneRange(-1, 1)},
	{"atan", oneRange(-4, 4)},
	{"sinh", oneRange(-3, 3)},
	{"cosh", oneRange(-3, 3)},
	{"tanh", oneRange(-3, 3)},
	{"erf", oneRange(-2, 2)},
	{"erfc", oneRange(-2, 2)},
	{"cbrt", oneRange(0.1, 100)},
	{"sqrt", oneRange(0.1, 100)},
	{"floor", oneRange(-50, 50)},
	{"ceil", oneRange(-50, 50)},
	{"round", oneRange(-50, 50)},
	{"trunc", oneRange(-50, 50)},
	{"rint", oneRange(-50, 50)},
	{"nearbyint", oneRange(-50, 50)},
	{"lrint", oneRange(-50, 50)},
	{"lround", oneRange(-50, 50)},
	{"fabs", oneRange(-50, 50)},
	{"pow", [][2]float64{{0.1, 10}, {-3, 3}}},
	{"atan2", [][2]float64{{-5, 5}, {-5, 5}}},
	{"hypot", [][2]float64{{0.1, 10}, {0.1, 10}}},
	{"fmod", [][2]float64{{-50, 50}, {1, 5}}},
	{"fmax", [][2]float64{{-5, 5}, {-5, 5}}},
	{"fmin", [][2]float64{{-5, 5}, {-5, 5}}},
}

func oneRange(low, high float64) [][2]float64 { return [][2]float64{{low, high}} }

// functions times calls of the C library, of mathematics and of others, and how many bytes it copies and sets in a cycle. Where a library lacks one of the
// others, none of them is timed.
func (m *Measured) functions(ctx context.Context, compiler []string, dir string) error {
	if err := m.timeCalls(ctx, compiler, dir, "functions", functionsText()); err != nil {
		return err
	}
	_ = m.timeCalls(ctx, compiler, dir, "services", servicesText())
	return ctx.Err()
}

// timeCalls builds a program that prints cycles by the names of functions, and keeps the least of some runs.
func (m *Measured) timeCalls(ctx context.Context, compiler []string, dir, name, text string) error {
	source, program := filepath.Join(dir, name+".c"), filepath.Join(dir, name)
	if err := writeFile(source, text); err != nil {
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

// What follows the name of a function in the names of what is measured of it.
const (
	oneWay  = ".way"   // with arguments that go one way through it
	chained = ".chain" // with each call's argument made of the last one's result
)

// functionRuns is how often each function is timed, the least of some bursts each. Chosen.
const functionRuns = 4

// functionsText is a C program that prints for each function the cycles between two calls, and from one to another that needs its result; a
// product and a sum are in that chain, and are taken off. Each burst has arguments of its own, so that no branch predictor learns them.
func functionsText() string {
	var s strings.Builder
	s.WriteString("#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n#include <x86intrin.h>\n" + timerText + `
enum { N = 256, TIMES = 12 };
double x[N], y[N], z[N];
float xf[N], yf[N], zf[N];
static volatile double keep;
static char from[16384], to[16384];
static uint64_t state = 88172645463325252u;
static double between(double low, double high) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (state >> 11) * 0x1p-53 * (high - low);
}
static double xlow, xhigh, ylow, yhigh;
static int oneWay;
static void arguments(void) {
    for (int i = 0; i < N; i++) {
        xf[i] = x[i] = oneWay ? xlow + between(0.58, 0.62) * (xhigh - xlow) : between(xlow, xhigh);
        yf[i] = y[i] = oneWay ? ylow + between(0.68, 0.72) * (yhigh - ylow) : between(ylow, yhigh);
    }
}
#define LEAST(NAME, COUNT, BODY) { uint64_t best = -1; unsigned cpu; for (int r = 0; r < TIMES; r++) { arguments(); uint64_t begun = __rdtscp(&cpu); BODY; \
    uint64_t took = __rdtscp(&cpu) - begun; best = took < best ? took : best; } printf("%s %.3f\n", NAME, best / t / (COUNT)); }
`)
	s.WriteString("int main(void) {\n    double t = tick(20);\n    memset(from, 1, sizeof from);\n")
	for _, f := range mathFunctions {
		second := f.ranges[len(f.ranges)-1]
		fmt.Fprintf(&s, "    xlow = %g, xhigh = %g, ylow = %g, yhigh = %g;\n", f.ranges[0][0], f.ranges[0][1], second[0], second[1])
		for _, of := range []struct{ suffix, array, typ string }{{"", "", "double"}, {"f", "f", "float"}} {
			call := func(more string) string {
				if len(f.ranges) == 2 {
					return fmt.Sprintf("%s%s(x%s[i]%[4]s, y%[3]s[i])", f.name, of.suffix, of.array, more)
				}
				return fmt.Sprintf("%s%s(x%s[i]%s)", f.name, of.suffix, of.array, more)
			}
			for way, name := range []string{f.name + of.suffix, f.name + of.suffix + oneWay} {
				fmt.Fprintf(&s, "    oneWay = %d;\n", way)
				fmt.Fprintf(&s, "    LEAST(%q, N, { for (int i = 0; i < N; i++) z%s[i] = %s; })\n", name, of.array, call(""))
				fmt.Fprintf(&s, "    LEAST(%q, N, { %s last = 0; for (int i = 0; i < N; i++) last = %s; keep = last; })\n", name+chained, of.typ, call(" + 0 * last"))
			}
		}
	}
	s.WriteString("    LEAST(\"memcpy.long\", 1, memcpy(to, from, 12288))\n    LEAST(\"memcpy.short\", 1, memcpy(to, from, 4096))\n" +
		"    LEAST(\"memset.long\", 1, memset(to, 1, 12288))\n    LEAST(\"memset.short\", 1, memset(to, 1, 4096))\n    return 0;\n}\n")
	return s.String()
}

// libraryFunctions are the functions that were timed, as machine files have them. Where it matters how arguments come, a function takes the geometric
// mean of what it takes for those that all go one way and for those in no order, from which either is equally far.
func (m *Measured) libraryFunctions() []machine.LibraryFunction {
	beside := m.perInstruction("mulsd x,x|chain") + m.perInstruction("addsd x,x|chain")
	if m.VEX {
		beside = m.perInstruction("vmulsd x,x,x|chain") + m.perInstruction("vaddsd x,x,x|chain")
	}
	var all []machine.LibraryFunction
	for _, f := range mathFunctions {
		for _, name := range []string{f.name, f.name + "f"} {
			cycles, ok := m.Functions[name]
			if !ok {
				continue
			}
			latency := func(of string) float64 { return max(1, m.Functions[of+chained]-beside, m.Functions[of]) }
			x := machine.LibraryFunction{Name: name, Latency: latency(name), Cycles: cycles, Instructions: m.Functions[name+stepped]}
			if least := m.Functions[name+oneWay]; least > 0 && least < leastDifference*cycles {
				x.LeastCycles, x.MostCycles = hundredths(least), hundredths(cycles)
				x.Cycles, x.Latency = math.Sqrt(least*cycles), math.Sqrt(latency(name+oneWay)*x.Latency)
			}
			x.Latency, x.Cycles = hundredths(x.Latency), hundredths(x.Cycles)
			all = append(all, x)
		}
	}
	for _, s := range services {
		if cycles := hundredths(m.Functions[s.name]); cycles > 0 {
			all = append(all, machine.LibraryFunction{Name: s.name, Latency: cycles, Cycles: cycles})
		}
	}
	return all
}

// leastDifference is the share of the time of arguments in no order below which those of one way make a difference. Chosen.
const leastDifference = 0.8

// bytes is how many bytes a function of memory handles in a cycle, by what the longer of two takes longer; 0 where that is not known.
func (m *Measured) bytes(function string) float64 {
	long, short := m.Functions[function+".long"], m.Functions[function+".short"]
	if long <= short {
		return 0
	}
	return hundredths((12288 - 4096) / (long - short))
}
