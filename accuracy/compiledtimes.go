package accuracy

import (
	"context"
	_ "embed"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"foresee/application"
	"foresee/application/nest"
	"foresee/internal/oracle/kernels"
	"foresee/machine"
	"foresee/predict"
)

// Compilers are those whose code's times are looked at, where they are installed.
var Compilers = [][]string{{"gcc", "-O2"}, {"gcc", "-O3", "-march=native"}, {"clang", "-O2"}}

// Half says to which half of the kernels one belongs: A was looked at while the models of compiled code were made, B was not, but for its
// worst kernel of the core's cycles, once. By the name's FNV hash.
func Half(kernel string) string {
	h := fnv.New32()
	_, _ = h.Write([]byte(kernel)) // never fails
	return string(rune('A' + h.Sum32()%2))
}

//go:embed programs/clock.c
var wallClock string

// compiledTimes compares times of compiled code with those of the source.
type compiledTimes struct {
	machine  *machine.Machine
	size     string
	all      []timedCode
	warnings map[string]bool
}

// timedCode is one kernel as one compiler made it: seconds.
type timedCode struct {
	kernel                     string
	compiler                   int
	measured, compiled, source float64
	low, high                  float64
	bound                      string
}

// measure times the code of a kernel by each compiler, and predicts it.
func (t *compiledTimes) measure(ctx context.Context, k kernels.Kernel, seed uint64) error {
	source, err := t.predict(ctx, k, nil, seed)
	if err != nil {
		return err
	}
	clock := filepath.Join(filepath.Dir(k.Path), "clock.c")
	if err := os.WriteFile(clock, []byte(wallClock), 0o600); err != nil {
		return err
	}
	for i, c := range Compilers {
		if _, err := exec.LookPath(c[0]); err != nil {
			continue
		}
		r := timedCode{kernel: k.Name, compiler: i, source: *source.TimeS, measured: math.Inf(1)}
		for range passes {
			took, err := runKernel(ctx, c, k.Path, t.size, flushBytes(t.machine), clock)
			if err != nil {
				return err
			}
			r.measured = min(r.measured, took)
		}
		p, err := t.predict(ctx, k, c, seed)
		if err != nil {
			return fmt.Errorf("%s by %s: %w", k.Name, strings.Join(c, " "), err)
		}
		r.compiled, r.low, r.high, r.bound = *p.TimeS, *p.TimeLowS, *p.TimeHighS, p.BoundBy
		t.all = append(t.all, r)
	}
	return nil
}

// passes are how often a kernel is timed, five runs each.
const passes = 2

// predict is a kernel's prediction, of its compiled code or of its source.
func (t *compiledTimes) predict(ctx context.Context, k kernels.Kernel, compiler []string, seed uint64) (*predict.Prediction, error) {
	s := &application.Signature{Name: k.Name, Kind: application.Source, Loops: []*nest.Program{k.Program}}
	if compiler != nil {
		text, err := os.ReadFile(k.Path)
		if err != nil {
			return nil, err
		}
		s.Code = &application.Code{Name: k.Program.Pos.File, Folder: filepath.Dir(k.Path), Text: text, Macros: []string{t.size}}
	}
	r, err := predict.Run(ctx, predict.Request{
		Signature: s, Machines: []*machine.Machine{t.machine}, Threads: []int{1}, Compiler: compiler, Options: predict.Options{Seed: seed},
	})
	if err != nil {
		return nil, err
	}
	for _, w := range r.Warnings {
		t.warnings[w] = true
	}
	p := &r.Predictions[0]
	if p.TimeS == nil {
		return nil, fmt.Errorf("no time: %s", strings.Join(p.Warnings, "; "))
	}
	return p, nil
}

// tables are the summary, and kernel by kernel.
func (t *compiledTimes) tables() []*Table {
	sum := &Table{
		Title: "Run time of one thread from compiled code",
		Text: fmt.Sprintf("Predicted for machine %s by its usual model, the core's time being that of the code which the compiler makes (`predict --cc`), and beside it that of the source alone; measured: the least of ten runs in two passes, caches emptied before each, kernels at %s, without OpenMP. "+
			"Errors in percent of what was measured. Inside: the share of times within the printed interval. The kernels were halved by a hash of their names: A was looked at when the models were made, B was not.", t.machine.Name, t.size),
		Columns: []string{"compiler", "half", "n", "mean", "median", "p90", "worst", "inside", "source: mean", "median", "worst"},
	}
	for c := -1; c < len(Compilers); c++ {
		for _, half := range []string{"A", "B"} {
			t.row(sum, c, half)
		}
	}
	each := &Table{Title: "Compiled code, kernel by kernel", Columns: []string{"kernel", "half", "compiler", "measured", "compiled", "error", "bound", "source", "error"}}
	for _, r := range t.all {
		each.Rows = append(each.Rows, []string{
			r.kernel, Half(r.kernel), strings.Join(Compilers[r.compiler], " "), seconds(r.measured), seconds(r.compiled), percentOff(r.compiled, r.measured), r.bound,
			seconds(r.source), percentOff(r.source, r.measured),
		})
	}
	return []*Table{sum, each}
}

func percentOff(predicted, measured float64) string {
	return fmt.Sprintf("%+.0f %%", 100*(predicted/measured-1))
}

func (t *compiledTimes) row(sum *Table, compiler int, half string) {
	var compiled, source Errors
	inside := 0
	for _, r := range t.all {
		if compiler >= 0 && r.compiler != compiler || Half(r.kernel) != half {
			continue
		}
		compiled.Add(r.kernel, 100*math.Abs(r.compiled/r.measured-1))
		source.Add(r.kernel, 100*math.Abs(r.source/r.measured-1))
		if r.measured >= r.low && r.measured <= r.high {
			inside++
		}
	}
	if compiled.N() == 0 {
		return
	}
	name := "all"
	if compiler >= 0 {
		name = strings.Join(Compilers[compiler], " ")
	}
	worst, of := compiled.Worst()
	worstSource, ofSource := source.Worst()
	number := func(v float64) string { return fmt.Sprintf("%.1f", v) }
	sum.Rows = append(sum.Rows, []string{
		name, half, fmt.Sprint(compiled.N()), number(compiled.Mean()), number(compiled.Quantile(0.5)), number(compiled.Quantile(0.9)), fmt.Sprintf("%.0f (%s)", worst, of),
		fmt.Sprintf("%.0f %%", 100*float64(inside)/float64(compiled.N())),
		number(source.Mean()), number(source.Quantile(0.5)), fmt.Sprintf("%.0f (%s)", worstSource, ofSource),
	})
}
