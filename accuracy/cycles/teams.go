package cycles

import (
	"context"
	"fmt"
	"math"

	"foresee/accuracy"
	"foresee/internal/oracle/kernels"
)

// teamCompiler makes the code that teams of threads run.
var teamCompiler = []string{"gcc", "-O2", "-fopenmp"}

// team is how many threads the machine at hand is asked for.
const team = 2

// teamTimes compares times of several threads with the clock.
type teamTimes struct {
	*compiledTimes
	rows []teamTime
}

// teamTime is one kernel: seconds with one thread and with the team.
type teamTime struct {
	kernel, path     string
	one, all         float64 // measured
	compiled, source float64 // predicted, of the team
	compiledOne      float64 // and of one thread
}

// measureAll predicts the kernels, and then times them in passes over all.
func (t *teamTimes) measureAll(ctx context.Context, o accuracy.Options) error {
	work, all, err := t.kernels(o)
	if err != nil {
		return err
	}
	defer work.Remove()
	for _, k := range all {
		if !k.Program.HasParallel() {
			continue
		}
		if err := t.add(ctx, k, o.Seed); err != nil {
			return err
		}
	}
	for range timings {
		for i := range t.rows {
			r := &t.rows[i]
			if err := t.time(ctx, r.path, 1, &r.one); err != nil {
				return err
			}
			if err := t.time(ctx, r.path, team, &r.all); err != nil {
				return err
			}
		}
	}
	return nil
}

// time times a kernel once more; the least counts.
func (t *teamTimes) time(ctx context.Context, path string, threads int, least *float64) error {
	took, err := accuracy.RunKernel(ctx, teamCompiler, path, t.size, threads, accuracy.FlushBytes(t.machine))
	*least = min(*least, took)
	return err
}

// add predicts a kernel.
func (t *teamTimes) add(ctx context.Context, k kernels.Kernel, seed uint64) error {
	r := teamTime{kernel: k.Name, path: k.Path, one: math.Inf(1), all: math.Inf(1)}
	for _, x := range []struct {
		compiler []string
		threads  int
		to       *float64
	}{{teamCompiler, team, &r.compiled}, {teamCompiler, 1, &r.compiledOne}, {nil, team, &r.source}} {
		p, err := t.predict(ctx, k, x.compiler, x.threads, seed)
		if err != nil {
			return fmt.Errorf("%s with %d threads: %w", k.Name, x.threads, err)
		}
		*x.to = *p.TimeS
	}
	t.rows = append(t.rows, r)
	return nil
}

// table is the summary of the team's times.
func (t *teamTimes) table() *accuracy.Table {
	out := &accuracy.Table{
		Title: fmt.Sprintf("Run time of %d threads, %s", team, t.size),
		Text: fmt.Sprintf("Kernels with parallel regions by gcc -O2 -fopenmp on %d of the machine's %d cores; measured as above. Speed-up: how far the ratio of the times of one thread and of %d is off. "+
			"Where other guests use the host's caches and memory, their noise is in it.", team, t.machine.TotalCores(), team),
		Columns: []string{"set", "n", "compiled: mean", "median", "worst", "source: mean", "median", "worst", "speed-up: mean", "worst"},
	}
	number := func(v float64) string { return fmt.Sprintf("%.1f", v) }
	for _, h := range []string{"A", "B"} {
		var code, source, speedup accuracy.Errors
		for _, r := range t.rows {
			if set(r.kernel) != h {
				continue
			}
			code.Add(r.kernel, 100*math.Abs(r.compiled/r.all-1))
			source.Add(r.kernel, 100*math.Abs(r.source/r.all-1))
			speedup.Add(r.kernel, 100*math.Abs(r.compiledOne/r.compiled*r.all/r.one-1))
		}
		if code.N() == 0 {
			continue
		}
		worst := func(e *accuracy.Errors) string {
			v, of := e.Worst()
			return fmt.Sprintf("%.0f (%s)", v, of)
		}
		out.Rows = append(out.Rows, []string{
			h, fmt.Sprint(code.N()), number(code.Mean()), number(code.Quantile(0.5)), worst(&code), number(source.Mean()), number(source.Quantile(0.5)), worst(&source), number(speedup.Mean()), worst(&speedup),
		})
	}
	return out
}
