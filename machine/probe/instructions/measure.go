package instructions

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/cpu"

	"foresee/machine"
)

// The forms that gcc and clang wrote for loops of numbers, at -O0 to -O3, with SSE, AVX2 and AVX-512.
//
//go:embed forms.txt
var files embed.FS

// Measured are cycles, by the name of a test: of a round of its body.
type Measured struct {
	Cycles map[string]float64
	Length map[string]int // instructions of the body
	Forms  []string       // those that this processor and assembler know
	VEX    bool
	Wide   bool // AVX-512
	// Functions are cycles of calls of the C library, Windows what windows were found.
	Functions map[string]float64
	Windows   machine.InstructionWindows

	windowsProgram string
	times          map[string][]float64 // that gave the cycles
}

// Extensions says whether this processor has AVX2 with its multiplications and additions, and whether it has AVX-512 for vectors of all
// widths.
func Extensions() (vex, wide bool) {
	x := &cpu.X86
	return x.HasAVX2 && x.HasFMA, x.HasAVX512VL && x.HasAVX512DQ && x.HasAVX512BW
}

// All tests are timed again and again, and the least counts, until what they give has settled: others that use the core, as on a shared
// machine, make all of it slower for seconds. Chosen: on a virtual machine with other work beside, eight runs were not enough one time in
// five.
const (
	leastRuns    = 8
	mostRuns     = 80
	windowsEvery = 8    // runs after which the windows are looked at again
	settled      = 6    // runs after which nothing may have changed
	improved     = 0.02 // by which share of its time a test must fall to count as changed
	mayImprove   = 0.01 // share of the tests that may
)

// ErrNoise says that the core was never free long enough.
var ErrNoise = errors.New("the times of instructions do not settle, as other work uses the core; try again when there is less of it")

// Measure times all forms on this processor, with a C compiler to assemble them, in a folder that may be written.
func Measure(ctx context.Context, compiler []string, dir string, vex, wide bool) (*Measured, error) {
	list, err := files.ReadFile("forms.txt")
	if err != nil {
		return nil, err
	}
	m := &Measured{Cycles: map[string]float64{}, Length: map[string]int{}, Functions: map[string]float64{}, times: map[string][]float64{}, VEX: vex, Wide: wide}
	all := blockers(vex)
	tests := specials(vex, wide)
	for _, b := range all {
		tests = append(tests, test{"base|" + b.name, blockersAlone(b), false})
	}
	var forms []form
	for name := range strings.Lines(string(list)) {
		f := parseForm(strings.TrimSpace(name))
		if !vex && strings.HasPrefix(f.base, "v") || !wide && needsWide(f) {
			continue
		}
		forms = append(forms, f)
		tests = append(tests, f.alone()...)
	}
	if err := m.buildWindows(ctx, compiler, dir); err != nil {
		return nil, err
	}
	if err := m.time(ctx, compiler, dir, tests); err != nil {
		return nil, err
	}
	tests = nil
	for _, f := range forms {
		own, ok := m.Cycles[f.name+"|alone"]
		if !ok {
			continue
		}
		m.Forms = append(m.Forms, f.name)
		for _, b := range all {
			if n := mixed(own/block, m.Cycles["base|"+b.name]); n > 0 {
				tests = append(tests, f.among(b, n))
			}
		}
	}
	if err := m.time(ctx, compiler, dir, tests); err != nil {
		return nil, err
	}
	if err := m.functions(ctx, compiler, dir); err != nil {
		return nil, err
	}
	if err := m.steps(ctx, compiler, dir); err != nil {
		return nil, err
	}
	return m, m.lookAhead(ctx)
}

// time builds tests and times them.
func (m *Measured) time(ctx context.Context, compiler []string, dir string, tests []test) error {
	tests, err := m.assembled(ctx, compiler, dir, tests)
	if err != nil {
		return err
	}
	program, err := build(ctx, compiler, dir, tests, m.VEX, m.Wide)
	if err != nil {
		return err
	}
	quiet := 0
	for n := 1; n <= mostRuns; n++ {
		if n%windowsEvery == 1 {
			if err := m.lookAhead(ctx); err != nil {
				return err
			}
		}
		changed, err := m.run(ctx, program, tests)
		if err != nil {
			return err
		}
		quiet++
		if float64(changed) > mayImprove*float64(len(tests)) {
			quiet = 0
		}
		if n >= leastRuns && quiet >= settled {
			return nil
		}
	}
	return ErrNoise
}

func blockersAlone(b blocker) []string {
	var body []string
	for i := range block {
		body = append(body, b.text(i))
	}
	return body
}

// needsWide says whether a form needs AVX-512.
func needsWide(f form) bool {
	for _, k := range f.kinds {
		if k == "z" || k == "k" {
			return true
		}
	}
	for _, s := range []string{"64", "32x4", "32x8", "64x2", "64x4", "vpermt2", "valign", "vpandd", "vpord", "vpxord", "vpternlog", "vpmullq", "vpsraq", "vpermi2", "vpmaxsq", "vpminsq", "vpabsq", "vblendm", "vpblendm", "vptestnm"} {
		if strings.Contains(f.base, s) && f.base != "vcvtss2sd" {
			return true
		}
	}
	return false
}

var faultyLine = regexp.MustCompile(`\.s:(\d+):(?:\d+:)? [eE]rror`)

// assembled leaves out the tests that the assembler refuses.
func (m *Measured) assembled(ctx context.Context, compiler []string, dir string, tests []test) ([]test, error) {
	var s strings.Builder
	s.WriteString(".intel_syntax noprefix\n.text\nempty: ret\nbuffer:\n")
	line := 4
	seen := map[string]bool{}
	lines := map[int]string{}
	for _, t := range tests {
		for _, text := range t.body {
			if seen[text] {
				continue
			}
			seen[text] = true
			for part := range strings.SplitSeq(text, "\n") {
				line++
				lines[line] = text
				s.WriteString(part + "\n")
			}
		}
	}
	s.WriteString("1:\n")
	path := filepath.Join(dir, "known.s")
	if err := os.WriteFile(path, []byte(s.String()), 0o600); err != nil {
		return nil, err
	}
	out, err := compile(ctx, compiler, dir, "-c", "-o", filepath.Join(dir, "known.o"), path)
	if err == nil {
		return tests, nil
	}
	bad := map[string]bool{}
	for _, match := range faultyLine.FindAllStringSubmatch(string(out), -1) {
		n, _ := strconv.Atoi(match[1])
		bad[lines[n]] = true
	}
	if len(bad) == 0 {
		return nil, err
	}
	var kept []test
	for _, t := range tests {
		ok := true
		for _, text := range t.body {
			ok = ok && !bad[text]
		}
		if ok {
			kept = append(kept, t)
		}
	}
	return kept, nil
}

// build makes the program that times the tests.
func build(ctx context.Context, compiler []string, dir string, tests []test, vex, wide bool) (string, error) {
	source, main, program := filepath.Join(dir, "tests.s"), filepath.Join(dir, "main.c"), filepath.Join(dir, "tests")
	if err := writeFile(source, text(tests, vex, wide)); err != nil {
		return "", err
	}
	if err := writeFile(main, driver(len(tests))); err != nil {
		return "", err
	}
	_, err := compile(ctx, compiler, dir, "-O1", "-o", program, main, source)
	return program, err
}

// compile runs a compiler whose own temporary files lie in the folder as well, and gives what it says.
func compile(ctx context.Context, compiler []string, dir string, arguments ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, compiler[0], slices.Concat(compiler[1:], arguments)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir)
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", compiler[0], err, out)
	}
	return out, err
}

// output runs a program and gives what it prints. Of one that was stopped the error says so, and not by which signal.
func output(ctx context.Context, program string) ([]byte, error) {
	out, err := exec.CommandContext(ctx, program).Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return out, err
}

func writeFile(path, text string) error { return os.WriteFile(path, []byte(text), 0o600) }

// run times all tests once more, and says how many are faster than ever before.
func (m *Measured) run(ctx context.Context, program string, tests []test) (changed int, err error) {
	out, err := output(ctx, program)
	if err != nil {
		return 0, err
	}
	lines := strings.Fields(string(out))
	if len(lines) != len(tests) {
		return 0, errors.New("the program that times instructions ended early")
	}
	for i, t := range tests {
		if lines[i] == illegal {
			continue
		}
		v, err := strconv.ParseFloat(lines[i], 64)
		if err != nil {
			return 0, err
		}
		if v /= unrolled; v > 0 {
			m.times[t.name] = append(m.times[t.name], v)
		}
		old, known := m.Cycles[t.name]
		m.Cycles[t.name] = lowest(m.times[t.name])
		if known && m.Cycles[t.name] < (1-improved)*old {
			changed++
		}
		m.Length[t.name] = len(t.body)
	}
	return changed, nil
}

// alike is by which share two times may differ that confirm one another. Chosen: undisturbed ones differ by less.
const alike = 0.02

// lowest is the least of times that another confirms: others make code slower by any amount, but a clock that changes makes single times too short.
// Without two alike it is the least.
func lowest(times []float64) float64 {
	slices.Sort(times)
	for i := 1; i < len(times); i++ {
		if times[i] <= (1+alike)*times[i-1] {
			return times[i-1]
		}
	}
	if len(times) == 0 {
		return 0
	}
	return times[0]
}
