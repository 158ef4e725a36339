package cycles

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"foresee/accuracy"
	"foresee/application"
	"foresee/application/nest"
	"foresee/examples"
	"foresee/internal/oracle/kernels"
	"foresee/internal/workspace"
	"foresee/machine"
	"foresee/predict"
	"foresee/predict/compiled"
)

//go:embed programs/wallclock.c
var wallClock string

// sizes are those of the kernels whose times are looked at: data in L2, and beyond.
var sizes = []string{"SMALL", "MEDIUM"}

// Times compares times of compiled code with the clock.
func Times(ctx context.Context, o accuracy.Options) (*accuracy.Section, error) {
	if _, err := exec.LookPath("gcc"); err != nil {
		return nil, ErrNoCompiler
	}
	if o.Machine.Instructions == nil {
		return nil, &compiled.MissingError{Machine: o.Machine.Name}
	}
	s := &accuracy.Section{Name: "compiled"}
	for _, size := range sizes {
		if o.Size != "" && o.Size != size {
			continue
		}
		t := &compiledTimes{machine: o.Machine, size: size}
		if err := t.measureAll(ctx, o); err != nil {
			return nil, err
		}
		s.Tables = append(s.Tables, t.tables()...)
		teams := &teamTimes{compiledTimes: t}
		if err := teams.measureAll(ctx, o); err != nil {
			return nil, err
		}
		s.Tables = append(s.Tables, teams.table())
	}
	return s, nil
}

// compiledTimes compares times of compiled code with those of the source.
type compiledTimes struct {
	machine *machine.Machine
	size    string
	all     []timedCode
}

// kernels extracts the examples, all or those that are asked for, into a folder, and reads them.
func (t *compiledTimes) kernels(o accuracy.Options) (*workspace.Folder, []kernels.Kernel, error) {
	work, err := workspace.New("compiled")
	if err != nil {
		return nil, nil, err
	}
	if err := examples.Extract(work.Path); err != nil {
		work.Remove()
		return nil, nil, err
	}
	of := slices.DeleteFunc(slices.Clone(o.Kernels), func(name string) bool { return slices.Contains(loopNames(), name) })
	var all []kernels.Kernel
	if len(o.Kernels) == 0 || len(of) > 0 {
		if all, err = kernels.Load(work.Path, t.size, of...); err != nil {
			work.Remove()
			return nil, nil, err
		}
	}
	return work, all, nil
}

// measureAll measures the kernels, and then the loops.
func (t *compiledTimes) measureAll(ctx context.Context, o accuracy.Options) error {
	work, all, err := t.kernels(o)
	if err != nil {
		return err
	}
	defer work.Remove()
	more, err := loops(work.Path, t.size, o.Kernels)
	if err != nil {
		return err
	}
	all = append(all, more...)
	for i, k := range all {
		if o.Progress != nil {
			o.Progress(i, len(all))
		}
		if err := t.add(ctx, k, o.Seed); err != nil {
			return err
		}
	}
	for range timings { // over all of them: who shares the core is busy for seconds
		for i := range t.all {
			if err := t.all[i].measure(ctx, t.machine, t.size); err != nil {
				return err
			}
		}
	}
	return nil
}

// timedCode is one kernel as one compiler made it: seconds.
type timedCode struct {
	kernel, path               string
	compiler                   int
	measured, compiled, source float64
	low, high                  float64
	bound                      string
	flops                      int64
}

// add predicts a kernel as each compiler makes it.
func (t *compiledTimes) add(ctx context.Context, k kernels.Kernel, seed uint64) error {
	source, err := t.predict(ctx, k, nil, 1, seed)
	if err != nil {
		return err
	}
	if err := os.WriteFile(clockOf(k.Path), []byte(wallClock), 0o600); err != nil {
		return err
	}
	for i, c := range compilers {
		if _, err := exec.LookPath(c[0]); err != nil {
			continue
		}
		p, err := t.predict(ctx, k, c, 1, seed)
		if err != nil {
			return fmt.Errorf("%s by %s: %w", k.Name, strings.Join(c, " "), err)
		}
		t.all = append(t.all, timedCode{
			kernel: k.Name, path: k.Path, compiler: i, measured: math.Inf(1), source: *source.TimeS - source.Terms.ParallelS,
			compiled: *p.TimeS, low: *p.TimeLowS, high: *p.TimeHighS, bound: p.BoundBy, flops: p.Flops,
		})
	}
	return nil
}

// clockOf is the clock that is linked to a kernel.
func clockOf(kernel string) string { return filepath.Join(filepath.Dir(kernel), "wallclock.c") }

// measure times the code once more; the least counts.
func (r *timedCode) measure(ctx context.Context, m *machine.Machine, size string) error {
	took, err := accuracy.RunKernel(ctx, compilers[r.compiler], r.path, size, 1, accuracy.FlushBytes(m), clockOf(r.path))
	if err != nil {
		return err
	}
	r.measured = min(r.measured, took)
	return nil
}

// timings are how many passes time all kernels, five runs of each.
const timings = 3

// predict is a kernel's prediction with so many threads, of its compiled code or of its source.
func (t *compiledTimes) predict(ctx context.Context, k kernels.Kernel, compiler []string, threads int, seed uint64) (*predict.Prediction, error) {
	s := &application.Signature{Name: k.Name, Kind: application.Source, Loops: []*nest.Program{k.Program}}
	if compiler != nil {
		text, err := os.ReadFile(k.Path)
		if err != nil {
			return nil, err
		}
		s.Code = &application.Code{Name: k.Program.Pos.File, Folder: filepath.Dir(k.Path), Text: text, Macros: []string{t.size}}
	}
	r, err := predict.Run(ctx, predict.Request{
		Signature: s, Machines: []*machine.Machine{t.machine}, Threads: []int{threads}, Compiler: compiler, Options: predict.Options{Seed: seed},
	})
	if err != nil {
		return nil, err
	}
	p := &r.Predictions[0]
	if p.TimeS == nil {
		return nil, fmt.Errorf("no time: %s", strings.Join(p.Warnings, "; "))
	}
	return p, nil
}

// tables are the summary, and kernel by kernel.
func (t *compiledTimes) tables() []*accuracy.Table {
	sum := &accuracy.Table{
		Title: "Run time of one thread from compiled code, " + t.size,
		Text: fmt.Sprintf("Predicted for machine %s by its usual model, the core's time being that of the code which the compiler makes (`predict --cc`), and beside it that of the source alone; measured: the least of fifteen runs in three passes over all kernels, caches emptied before each, kernels at %s, without OpenMP (what its regions would cost is taken off the source's time). "+
			"Errors in percent of what was measured. Inside: the share of times within the printed interval. The kernels were halved by a hash of their names: numbers were chosen on A alone. C are twelve loops that were written, and timed for the first time, before the present model of the core was made. B and C showed faults that were mended (an outer loop's rest, which reference brings in an array's lines); no number was chosen by them.", t.machine.Name, t.size),
		Columns: []string{"compiler", "set", "n", "mean", "median", "p90", "worst", "inside", "source: mean", "median", "worst"},
	}
	for c := -1; c < len(compilers); c++ {
		for _, h := range []string{"A", "B", "C"} {
			t.row(sum, c, h)
		}
	}
	each := &accuracy.Table{Title: "Compiled code, kernel by kernel, " + t.size, Columns: []string{"kernel", "set", "compiler", "measured", "compiled", "error", "bound", "source", "error"}}
	for _, r := range t.all {
		each.Rows = append(each.Rows, []string{
			r.kernel, set(r.kernel), strings.Join(compilers[r.compiler], " "), accuracy.Seconds(r.measured), accuracy.Seconds(r.compiled), percentOff(r.compiled, r.measured), r.bound,
			accuracy.Seconds(r.source), percentOff(r.source, r.measured),
		})
	}
	return []*accuracy.Table{sum, each, t.pairs()}
}

func percentOff(predicted, measured float64) string {
	return fmt.Sprintf("%+.0f %%", 100*(predicted/measured-1))
}

func (t *compiledTimes) row(sum *accuracy.Table, compiler int, h string) {
	var code, source accuracy.Errors
	inside := 0
	for _, r := range t.all {
		if compiler >= 0 && r.compiler != compiler || set(r.kernel) != h {
			continue
		}
		code.Add(r.kernel, 100*math.Abs(r.compiled/r.measured-1))
		source.Add(r.kernel, 100*math.Abs(r.source/r.measured-1))
		if r.measured >= r.low && r.measured <= r.high {
			inside++
		}
	}
	if code.N() == 0 {
		return
	}
	name := "all"
	if compiler >= 0 {
		name = strings.Join(compilers[compiler], " ")
	}
	worst, of := code.Worst()
	worstSource, ofSource := source.Worst()
	number := func(v float64) string { return fmt.Sprintf("%.1f", v) }
	sum.Rows = append(sum.Rows, []string{
		name, h, fmt.Sprint(code.N()), number(code.Mean()), number(code.Quantile(0.5)), number(code.Quantile(0.9)), fmt.Sprintf("%.0f (%s)", worst, of),
		fmt.Sprintf("%.0f %%", 100*float64(inside)/float64(code.N())),
		number(source.Mean()), number(source.Quantile(0.5)), fmt.Sprintf("%.0f (%s)", worstSource, ofSource),
	})
}
