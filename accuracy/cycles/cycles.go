// Package cycles measures how well the model of a core foretells the cycles of loops whose data lie in the inner caches: kernels are
// compiled by the compilers that are here, their machine code is carried out by package emulate and followed by package core with what
// package instructions measured of this core, and the same code is timed.
package cycles

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"os/exec"
	"slices"
	"sort"
	"strings"

	"foresee/accuracy"
	"foresee/examples"
	"foresee/internal/workspace"
	"foresee/machine/probe/instructions"
	"foresee/model/core"
)

// compilers are those whose code is looked at, where they are installed.
var compilers = [][]string{{"gcc", "-O2"}, {"gcc", "-O3", "-march=native"}, {"clang", "-O2"}}

// ErrNoCompiler says that there is no compiler to make code with.
var ErrNoCompiler = errors.New("measuring cycles needs gcc; install it: apt-get install gcc libc6-dev")

// outcome is a kernel as one compiler made it.
type outcome struct {
	kernel    string
	compiler  int
	predicted float64 // cycles
	measured  float64
	ipc       float64 // instructions in a cycle that was measured
}

// half says to which half of the kernels one belongs, by the name's FNV hash: numbers were chosen on A alone; B showed faults too, which were
// mended, and none of which is a number.
func half(kernel string) string {
	h := fnv.New32()
	_, _ = h.Write([]byte(kernel)) // never fails
	return string(rune('A' + h.Sum32()%2))
}

// Cycles compares cycles on the machine at hand.
func Cycles(ctx context.Context, o accuracy.Options) (*accuracy.Section, error) {
	if _, err := exec.LookPath("gcc"); err != nil {
		return nil, ErrNoCompiler
	}
	work, err := workspace.New("cycles")
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	if err := examples.Extract(work.Path); err != nil {
		return nil, err
	}
	vex, wide := instructions.Extensions()
	measured, err := instructions.Measure(ctx, []string{"gcc"}, work.Path, vex, wide)
	if err != nil {
		return nil, err
	}
	names := o.Kernels
	if len(names) == 0 {
		names = examples.Kernels()
	}
	size := o.Size
	if size == "" {
		size = "MINI"
	}
	m := *o.Machine
	m.Instructions = measured.Table("measured just now")
	b := &bench{folder: work.Path, size: size}
	b.core, b.costs, _ = core.Of(&m)
	b.core.Levels = core.InnerLevels(&m)
	var programs []*prepared
	for i, name := range names {
		if o.Progress != nil {
			o.Progress(i, len(names))
		}
		for c := range compilers {
			if _, err := exec.LookPath(compilers[c][0]); err != nil {
				continue
			}
			r, err := b.prepare(ctx, name, c)
			if err != nil {
				return nil, fmt.Errorf("%s by %s: %w", name, strings.Join(compilers[c], " "), err)
			}
			programs = append(programs, r)
		}
	}
	if err := b.time(ctx, programs); err != nil {
		return nil, err
	}
	var all []outcome
	for _, r := range programs {
		all = append(all, r.outcome)
	}
	return &accuracy.Section{Name: "core", Tables: []*accuracy.Table{summary(all, size), details(all)}}, nil
}

// summary has a row for each compiler and half.
func summary(all []outcome, size string) *accuracy.Table {
	t := &accuracy.Table{
		Title: "Cycles of compiled loops in the inner caches",
		Text: fmt.Sprintf("Kernels at %s, one thread, REPEAT so often that branch predictors know them; predicted from the instruction stream of the code that the compiler made, on a core whose instructions were measured by blocking just before; "+
			"measured: the least of all repetitions in four passes over all kernels, less what looking at the clock takes. Errors in percent. The kernels were halved by a hash of their names: numbers were chosen on A alone; B showed faults too that were mended, none of which is a number. "+
			"The code that is timed is the one that is followed, where the linker puts it. What lies beyond L2 costs what L2 costs, so that larger sizes are not told.", size),
		Columns: []string{"compiler", "half", "n", "mean", "median", "p90", "worst"},
	}
	for c := -1; c < len(compilers); c++ {
		for _, h := range []string{"A", "B"} {
			var e accuracy.Errors
			for _, r := range all {
				if (c < 0 || r.compiler == c) && half(r.kernel) == h {
					e.Add(r.kernel, 100*math.Abs(r.predicted/r.measured-1))
				}
			}
			if e.N() == 0 {
				continue
			}
			name := "all"
			if c >= 0 {
				name = strings.Join(compilers[c], " ")
			}
			worst, of := e.Worst()
			t.Rows = append(t.Rows, []string{
				name, h, fmt.Sprint(e.N()), fmt.Sprintf("%.1f", e.Mean()), fmt.Sprintf("%.1f", e.Quantile(0.5)), fmt.Sprintf("%.1f", e.Quantile(0.9)), fmt.Sprintf("%.0f (%s)", worst, of),
			})
		}
	}
	return t
}

// details has a row for each kernel.
func details(all []outcome) *accuracy.Table {
	t := &accuracy.Table{
		Title:   "Cycles, kernel by kernel",
		Text:    "Cycles of one run of the kernel, and instructions in a cycle as measured.",
		Columns: []string{"kernel", "half", "compiler", "predicted", "measured", "error", "instructions a cycle"},
	}
	sorted := slices.Clone(all)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].kernel < sorted[j].kernel })
	for _, r := range sorted {
		t.Rows = append(t.Rows, []string{
			r.kernel, half(r.kernel), strings.Join(compilers[r.compiler], " "), fmt.Sprintf("%.0f", r.predicted), fmt.Sprintf("%.0f", r.measured),
			fmt.Sprintf("%+.0f %%", 100*(r.predicted/r.measured-1)), fmt.Sprintf("%.2f", r.ipc),
		})
	}
	return t
}
