package accuracy

import (
	"context"
	"fmt"
	"math"
	"os/exec"
	"slices"

	"foresee/application"
	"foresee/application/record"
	"foresee/application/recording"
	"foresee/internal/oracle/kernels"
	"foresee/machine"
	"foresee/predict"
)

// pptOptimised are the ways that the kernels are compiled: as the paper's traces show its programs, and as usual.
var pptOptimised = []string{"-O0", "-O2"}

// pptTimes compares times by the equations of PPT-Multicore with the clock.
type pptTimes struct {
	table   Table
	machine *machine.Machine
	size    string
	tracer  *tracer // nil where runs are not traced
	errors  []Errors
	signed  []float64 // sums of the logarithms of predicted over measured
}

// pptTimesOf is the table of a size, of the kernels that the paper has too. Runs are traced at no more than SMALL: unoptimised code makes some
// ten times the accesses of the source.
func pptTimesOf(ctx context.Context, o Options, size string) (*Table, error) {
	if _, err := exec.LookPath("gcc"); err != nil {
		return nil, ErrNoCompiler
	}
	t := &pptTimes{machine: o.Machine, size: size}
	if size == "MINI" || size == "SMALL" {
		if tr, err := newTracer(ctx, o); err == nil {
			t.tracer = tr
			defer tr.close()
		}
	}
	t.head()
	names := paperKernels
	if len(o.Kernels) > 0 {
		names = slices.DeleteFunc(slices.Clone(paperKernels), func(name string) bool { return !slices.Contains(o.Kernels, name) })
	}
	if len(names) > 0 {
		err := kernels.With(size, names, func(ks []kernels.Kernel) error {
			return o.each(ctx, ks, func(k kernels.Kernel) error { return t.measure(ctx, k, o.Seed) })
		})
		if err != nil {
			return nil, err
		}
	}
	t.sum()
	return &t.table, nil
}

// ways are how the time is predicted.
func (t *pptTimes) ways() []string {
	if t.tracer == nil {
		return []string{"source"}
	}
	return []string{"source", "run"}
}

func (t *pptTimes) head() {
	t.table = Table{
		Title: "PPT-Multicore's equations as published, at gcc -O0 and -O2, " + t.size,
		Text: fmt.Sprintf("Predicted for machine %s by `--model ppt` against the least of five runs compiled with gcc and -fopenmp, one thread, caches emptied before each, the paper's programs among the kernels, at %s. "+
			"Source: accesses to arrays and operations as the source has them.", t.machine.Name, t.size),
		Columns: []string{"kernel"},
	}
	if t.tracer != nil {
		t.table.Text += " Run: all accesses and operations of a traced run of what clang -O0 makes, which is what the paper predicts from."
	}
	t.table.Text += " Errors are factors: predicted over measured; in the summary the larger of the two over the smaller, and the geometric mean of predicted over measured."
	for _, flag := range pptOptimised {
		t.table.Columns = append(t.table.Columns, "gcc "+flag)
	}
	for _, way := range t.ways() {
		t.table.Columns = append(t.table.Columns, way)
		for _, flag := range pptOptimised {
			t.table.Columns = append(t.table.Columns, "over "+flag)
		}
	}
	n := len(t.ways()) * len(pptOptimised)
	t.errors, t.signed = make([]Errors, n), make([]float64, n)
}

// measure times a kernel, and predicts it in each way.
func (t *pptTimes) measure(ctx context.Context, k kernels.Kernel, seed uint64) error {
	row, measured := []string{k.Name}, make([]float64, len(pptOptimised))
	for i, flag := range pptOptimised {
		var err error
		if measured[i], err = RunKernel(ctx, []string{"gcc", flag, openmp}, k.Path, t.size, 1, FlushBytes(t.machine)); err != nil {
			return err
		}
		row = append(row, Seconds(measured[i]))
	}
	for w := range t.ways() {
		time, err := t.predict(ctx, w, k, seed)
		if err != nil {
			return err
		}
		row = append(row, Seconds(time))
		for i := range pptOptimised {
			f, e := time/measured[i], w*len(pptOptimised)+i
			row = append(row, fmt.Sprintf("%.2f", f))
			t.errors[e].Add(k.Name, math.Exp(math.Abs(math.Log(f))))
			t.signed[e] += math.Log(f)
		}
	}
	t.table.Rows = append(t.table.Rows, row)
	return nil
}

// predict is the time of a kernel, in seconds, from its source (way 0) or from a run of its unoptimised code.
func (t *pptTimes) predict(ctx context.Context, way int, k kernels.Kernel, seed uint64) (seconds float64, err error) {
	of := func(s *application.Signature) error {
		r, err := predict.Run(ctx, predict.Request{Signature: s, Machines: []*machine.Machine{t.machine}, Threads: []int{1}, Model: predict.ModelPPT, Options: predict.Options{Seed: seed}})
		if err != nil {
			return err
		}
		for _, p := range r.Predictions {
			if p.TimeS == nil {
				return fmt.Errorf("%s: %v", k.Name, p.Warnings)
			}
			seconds += *p.TimeS
		}
		return nil
	}
	if way == 0 {
		return seconds, of(application.OfLoops(k.Name, k.Program))
	}
	program, err := t.tracer.build(ctx, k.Name, t.size, pptOptimised[0], openmp) // the last -O counts
	if err != nil {
		return 0, err
	}
	err = t.tracer.run(ctx, record.Run{Program: program, Cuts: []int{1}}, func(src recording.Source) error { return of(application.OfRun(k.Name, src, false)) })
	return seconds, err
}

func (t *pptTimes) sum() {
	for w, way := range t.ways() {
		for i, flag := range pptOptimised {
			e := w*len(pptOptimised) + i
			n := t.errors[e].N()
			if n == 0 {
				continue
			}
			what := fmt.Sprintf("from the %s, gcc %s", way, flag)
			ratio := math.Exp(t.signed[e] / float64(n))
			t.table.value(what, ratio)
			t.table.Summary = append(t.table.Summary, t.errors[e].factors(what)+fmt.Sprintf("; predicted over measured %.2f", ratio))
		}
	}
}
