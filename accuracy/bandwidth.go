package accuracy

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"foresee/machine"
	"foresee/machine/probe"
)

// Bandwidth measures how well bandwidth follows from how memory is used: fits to recorded sweeps, the steadiness of latencies, and
// the times of kernels on this machine.
func Bandwidth(ctx context.Context, o Options) (*Section, error) {
	s := &Section{Name: "bandwidth"}
	tables := []func(context.Context, Options, *machine.Machine) (*Table, error){tracedTimes, memoryBound}
	if len(o.Kernels) > 0 { // of the kernels alone
		if o.Machine.Fit(machine.SweepRead) == nil {
			s.Notes = append(s.Notes, "Times of single kernels need a machine that was measured: foresee machine measure -o my.yaml, then --machine my.yaml.")
			return s, nil
		}
	} else {
		tables = append([]func(context.Context, Options, *machine.Machine) (*Table, error){steadiness}, tables...)
		if err := s.sweeps(ctx, o); err != nil {
			return nil, err
		}
	}
	measured, err := measuredHere(ctx, o)
	switch {
	case errors.Is(err, probe.ErrNoCompiler):
		s.Notes = append(s.Notes, "Nothing was measured on the machine at hand: it has no C compiler.")
		return s, nil
	case err != nil:
		return nil, err
	}
	for _, table := range tables {
		t, err := table(ctx, o, measured)
		if err != nil {
			return nil, err
		}
		if t == nil {
			s.Notes = append(s.Notes, "Times of traced runs were not measured: they need clang and its OpenMP.")
			continue
		}
		s.Tables = append(s.Tables, t)
	}
	return s, nil
}

// measuredHere is the machine at hand: as it is given, if that was measured, or measured now.
func measuredHere(ctx context.Context, o Options) (*machine.Machine, error) {
	if o.Machine != nil && o.Machine.Fit(machine.SweepRead) != nil {
		return o.Machine, nil
	}
	base, err := machine.Load("host")
	if err != nil {
		return nil, err
	}
	c, err := probe.FindCompiler(nil)
	if err != nil {
		return nil, err
	}
	return probe.Measure(ctx, base, probe.Options{Compiler: c, Progress: o.Progress})
}

// latencyRuns is how often latencies are measured.
const latencyRuns = 5

// steadiness measures the latencies several times.
func steadiness(ctx context.Context, o Options, m *machine.Machine) (*Table, error) {
	c, err := probe.FindCompiler(nil)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Title:   "Latencies measured again and again",
		Text:    fmt.Sprintf("%s: latencies of %d runs of the pointer chases of `foresee machine measure`, of caches in cycles, as the clock changes from run to run, of memory in ns, and how far the largest is from the smallest, over their median.", m.Title, latencyRuns),
		Columns: []string{"level", "told", "found", "1", "2", "3", "4", "5", "spread %"},
	}
	var all [][]float64
	for range latencyRuns {
		ns, err := probe.Latencies(ctx, m, probe.Options{Compiler: c})
		if err != nil {
			return nil, err
		}
		all = append(all, ns)
	}
	for i := range len(m.Levels) + 1 {
		row := []string{"memory", "", ""}
		if i < len(m.Levels) {
			l := m.Levels[i]
			row = []string{l.Name, machine.FormatSize(int64(l.Size.Or(0))), ""}
			if size, ok := l.EffectiveSize.Get(); ok {
				row[2] = machine.FormatSize(int64(size))
			}
		}
		var values []float64
		for _, ns := range all {
			values = append(values, ns[i])
			row = append(row, fmt.Sprintf("%.3g", ns[i]))
		}
		slices.Sort(values)
		spread := 100 * (values[len(values)-1] - values[0]) / values[len(values)/2]
		t.Rows = append(t.Rows, append(row, fmt.Sprintf("%.1f", spread)))
		t.Summary = append(t.Summary, fmt.Sprintf("%s: spread %.1f %%, n = %d", row[0], spread, latencyRuns))
	}
	return t, nil
}
