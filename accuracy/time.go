package accuracy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"foresee/application"
	"foresee/internal/oracle/callgrind"
	"foresee/internal/oracle/kernels"
	"foresee/machine"
	"foresee/model/timing"
	"foresee/predict"
)

// Times is the accuracy of run times on the machine at hand.
type Times struct {
	Table   Table
	factors map[string]*Errors // by model: at least 1

	machine *machine.Machine
	size    string
}

// ErrNoCompiler says that run times cannot be measured.
var ErrNoCompiler = errors.New("measuring run times needs gcc; install it: apt-get install gcc libc6-dev")

// NewTimes begins a comparison of predicted single-thread times with those of the compiled kernels.
func NewTimes(m *machine.Machine, size string) *Times {
	return &Times{machine: m, size: size, factors: map[string]*Errors{}, Table: Table{
		Title: "Run time of one thread",
		Text: fmt.Sprintf("Predicted for machine %s against the least of five runs of the kernel compiled with gcc -O2 -fopenmp, OMP_NUM_THREADS=1, caches emptied before each run, kernels at %s. "+
			"Errors are factors: predicted over measured; in the summary the larger of the two over the smaller.", m.Name, size),
		Columns: []string{"kernel", "measured", "overlap", "factor", "bound", "bandwidth", "factor", "bound", "ppt", "factor"},
	}}
}

// Measure compiles and runs a kernel, and predicts it.
func (t *Times) Measure(ctx context.Context, k kernels.Kernel, seed uint64) error {
	if _, err := exec.LookPath("gcc"); err != nil {
		return ErrNoCompiler
	}
	measured, err := RunKernel(ctx, []string{"gcc", "-O2", "-fopenmp"}, k.Path, t.size, 1, FlushBytes(t.machine))
	if err != nil {
		return err
	}
	return t.compare(ctx, k, t.machine, measured, seed)
}

// Finish gives the table.
func (t *Times) Finish() *Table {
	for _, model := range timeModels {
		if f := t.factors[model]; f != nil {
			t.Table.Summary = append(t.Table.Summary, f.factors(model))
		}
	}
	return &t.Table
}

var timeModels = []string{predict.ModelOverlap, predict.ModelBandwidth, predict.ModelPPT}

// factors sums up errors that are factors.
func (f *Errors) factors(what string) string {
	worst, name := f.Worst()
	return fmt.Sprintf("%s: median factor %.2f, mean %.2f, 90th percentile %.2f, worst %.2f (%s), n = %d",
		what, f.Quantile(0.5), f.Mean(), f.Quantile(0.9), worst, name, f.N())
}

// unknown notes once, of each model, why it gives no times.
func (t *Times) unknown(model string, warnings []string) {
	for _, w := range warnings {
		if said := "– of " + model + ": " + w; strings.HasPrefix(w, "no time: ") && !slices.Contains(t.Table.Summary, said) {
			t.Table.Summary = append(t.Table.Summary, said)
		}
	}
}

func (t *Times) compare(ctx context.Context, k kernels.Kernel, m *machine.Machine, measured float64, seed uint64) error {
	row := []string{k.Name, Seconds(measured)}
	for _, model := range timeModels {
		r, err := predict.Run(ctx, predict.Request{
			Signature: application.OfLoops(k.Name, k.Program), Machines: []*machine.Machine{m}, Threads: []int{1},
			Model: model, Options: predict.Options{Seed: seed},
		})
		if err != nil {
			return err
		}
		p := r.Predictions[0]
		bound := []string{p.BoundBy}
		if model == predict.ModelPPT {
			bound = nil
		}
		if p.TimeS == nil {
			row = append(append(row, "–", "–"), bound...)
			t.unknown(model, p.Warnings)
			continue
		}
		row = append(append(row, Seconds(*p.TimeS), fmt.Sprintf("%.2f", *p.TimeS/measured)), bound...)
		if t.factors[model] == nil {
			t.factors[model] = &Errors{}
		}
		t.factors[model].Add(k.Name, math.Exp(math.Abs(math.Log(*p.TimeS/measured))))
	}
	t.Table.Rows = append(t.Table.Rows, row)
	return nil
}

// Seconds writes a time as tables have it.
func Seconds(s float64) string { return fmt.Sprintf("%.3g ms", s*1e3) }

// FlushBytes is what must be written to empty the caches of a machine.
func FlushBytes(m *machine.Machine) int64 {
	largest := int64(0)
	for _, l := range m.Levels {
		if size, ok := l.Size.Get(); ok {
			largest = max(largest, int64(size))
		}
	}
	return 2 * largest
}

// RunKernel compiles a kernel, runs it with so many threads and gives the least time in seconds.
func RunKernel(ctx context.Context, compiler []string, path, size string, threads int, flush int64, more ...string) (float64, error) {
	program := strings.TrimSuffix(path, ".c") + "-" + size
	arguments := append(slices.Clone(compiler[1:]), "-w", "-D"+size, "-DTIME", "-DREPEAT=5", fmt.Sprintf("-DFLUSH=%d", flush))
	build := exec.CommandContext(ctx, compiler[0], append(append(arguments, more...), path, "-o", program, "-lm")...)
	if text, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%s %s: %w: %s", filepath.Base(compiler[0]), filepath.Base(path), err, text)
	}
	defer os.Remove(program)
	var text bytes.Buffer
	run := exec.CommandContext(ctx, program)
	run.Stdout = &text
	run.Env = append(os.Environ(), fmt.Sprintf("OMP_NUM_THREADS=%d", threads))
	if err := run.Run(); err != nil {
		return 0, fmt.Errorf("running %s: %w", filepath.Base(program), err)
	}
	for line := range strings.Lines(text.String()) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "seconds" {
			return strconv.ParseFloat(f[1], 64)
		}
	}
	return 0, fmt.Errorf("%s printed no time", filepath.Base(program))
}

// instructions compares how many instructions the core model counts in sources with those that gcc makes, in scalar code.
func instructions(ctx context.Context, ks []kernels.Kernel, size string, progress func(done, total int)) (*Table, error) {
	t := &Table{
		Title: "Instructions of sources",
		Text: fmt.Sprintf("What the model of the core counts in the source of a kernel against callgrind's count of the program, compiled with gcc -O2 -fno-tree-vectorize -fopenmp, without its library, kernels at %s. "+
			"The model takes compare and branch for one, callgrind for two: one is added for each iteration of a loop. Code before and after loops, and address arithmetic that depends on the compiler, are not in the model.", size),
		Columns: []string{"kernel", "callgrind", "model", "error %"},
	}
	var all Errors
	for i, k := range ks {
		if progress != nil {
			progress(i, len(ks))
		}
		counted, err := callgrind.Count(ctx, "gcc", filepath.Dir(k.Path), k.Name, []string{"-D" + size, "-fopenmp", "-fno-tree-vectorize"})
		if err != nil {
			return nil, err
		}
		blocks, err := timing.Blocks(k.Program)
		if err != nil {
			return nil, err
		}
		model := 0.0
		for _, b := range blocks {
			model += b.Executions * b.Instructions()
			if b.Loop != nil {
				model += b.Executions
			}
		}
		off := 100 * (model/float64(counted.Instructions) - 1)
		all.Add(k.Name, math.Abs(off))
		t.value(k.Name, off)
		t.Rows = append(t.Rows, []string{k.Name, fmt.Sprint(counted.Instructions), fmt.Sprintf("%.0f", model), fmt.Sprintf("%+.1f", off)})
	}
	t.Summary = []string{all.line("instructions, %", "%.1f") + fmt.Sprintf(", median %.1f", all.Quantile(0.5))}
	return t, nil
}
