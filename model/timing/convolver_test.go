package timing_test

import (
	"errors"
	"math"
	"testing"

	"foresee/application/nest"
	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/model/timing"
)

// fitted is a machine of one cache whose memory costs 4 ns a line in sequence and 16 far apart.
func fitted() *machine.Machine {
	v := func(x float64) *machine.Value[float64] { return &machine.Value[float64]{Value: x, Source: "test"} }
	m := &machine.Machine{
		Name: "fitted", FrequencyGHz: v(2), LineBytes: &machine.Value[int]{Value: 64, Source: "test"},
		Levels:     []machine.Level{{Name: "L1", LatencyCycles: v(4)}},
		Core:       machine.Core{IssueWidth: v(4), LoadsPerCycle: v(2), StoresPerCycle: v(1), ReorderBuffer: &machine.Value[int]{Value: 100, Source: "test"}},
		Operations: []machine.Operation{{Kind: machine.Add, Type: machine.F64, LatencyCycles: v(3), ReciprocalThroughput: v(1)}, {Kind: machine.Add, Type: machine.Int, LatencyCycles: v(1), ReciprocalThroughput: v(0.25)}},
		Memory:     machine.Memory{LatencyNs: v(100)},
	}
	form := bandwidth.Extended{
		CoreNs: 0.2, PassNs: 1, Norm: 2, Steepness: 1, WalkNs: 50, TableNs: 100, TLBBytes: 1 << 20, TLBWidth: 0.1, HalfConflict: 0.5,
		Sources: []bandwidth.Source{{Name: "memory", SequentialNs: 4, UnprefetchedNs: 16, Reach: 2, ConflictNs: 40, ConflictReach: 2, ExposedNs: 3, ExposedShare: 0.5, UnprefetchedExposedNs: 20, UnprefetchedExposedShare: 2, StartNs: 40, StartLineNs: 4}}, Capacities: []bandwidth.Capacity{{Bytes: 32 << 10, Width: 0.05}},
	}
	update := form
	update.Sources = []bandwidth.Source{{Name: "memory", SequentialNs: 6, UnprefetchedNs: 20, Reach: 2, ConflictNs: 50, ConflictReach: 2}}
	m.Measured = &machine.Measured{
		Page: 4096, Fits: []machine.MeasuredFit{{Kind: machine.SweepRead, Form: form}, {Kind: machine.SweepUpdate, Form: update}},
		Teams: []machine.Team{
			{Level: "memory", Stride: 8, Threads: 1, GBs: 10, Alone: 10},
			{Level: "memory", Stride: 8, Threads: 2, GBs: 20, Alone: 10},
			{Level: "memory", Stride: 8, Threads: 4, GBs: 20, Alone: 10},
		},
	}
	return m
}

// Traffic whose cost is known by hand.
func TestBandwidth(t *testing.T) {
	lines := func(step bandwidth.Step) timing.Traffic {
		tr := timing.Traffic{Level: "memory", Lines: 1e6, AllLines: 1e6}
		tr.Steps[step.Class()] = 1
		return tr
	}
	next := bandwidth.Step{Lines: 1}
	written := lines(next)
	written.Written = 0.5
	chained := lines(bandwidth.RandomStep())
	chained.Dependent = 1
	beside, soon := lines(next), lines(next)
	beside.Streams = 3
	soon.Between = 1e-7
	farSoon := lines(bandwidth.RandomStep())
	farSoon.Between, farSoon.FarBetween = 1, 1e-7
	short := lines(next)
	short.Run, short.Begun = 8, 1
	followed := short
	followed.Begun = 0.25
	// 3 ms at 2 GHz and four instructions a cycle, 3 ns of it between two lines; as long, but of one instruction that waits
	work := []*timing.Block{{Executions: 1, Ops: timing.Ops{{Kind: nest.Add, Type: nest.I64}: 24e6}}}
	waiting := []*timing.Block{{Executions: 1, Recurrence: timing.Ops{{Kind: nest.Add, Type: nest.F64}: 2e6}}}
	serial, team := []*timing.Block{{Executions: 1}}, []*timing.Block{{Executions: 1, Parallel: true}}
	exposed := 3 * (1 - math.Exp(-0.5*3/3))
	for name, c := range map[string]struct {
		in   timing.Input
		want float64 // ms
	}{
		"in sequence":             {timing.Input{Threads: 1, Traffic: []timing.Traffic{lines(next)}}, 4},
		"second line":             {timing.Input{Threads: 1, Traffic: []timing.Traffic{lines(bandwidth.Step{Lines: 2})}}, 16 - 12*math.Exp(-0.5)},
		"crowded":                 {timing.Input{Threads: 1, Traffic: []timing.Traffic{lines(bandwidth.Step{Lines: math.Inf(1), Sets: bandwidth.FewestSets})}}, 40},
		"in half the sets":        {timing.Input{Threads: 1, Traffic: []timing.Traffic{lines(bandwidth.Step{Lines: math.Inf(1), Sets: bandwidth.HalfSets})}}, 28},
		"anywhere":                {timing.Input{Threads: 1, Traffic: []timing.Traffic{lines(bandwidth.RandomStep())}}, 16},
		"half written":            {timing.Input{Threads: 1, Traffic: []timing.Traffic{written}}, 5},
		"chained":                 {timing.Input{Threads: 1, Traffic: []timing.Traffic{chained}}, 100},
		"with work":               {timing.Input{Threads: 1, Traffic: []timing.Traffic{lines(next)}, Blocks: work}, math.Hypot(4, 3) + exposed},
		"waiting":                 {timing.Input{Threads: 1, Traffic: []timing.Traffic{lines(next)}, Blocks: waiting}, math.Hypot(4, 3)},
		"serial, then four":       {timing.Input{Threads: 4, Imbalance: 1, Traffic: []timing.Traffic{lines(next)}, Blocks: append(serial, team...), Phases: []timing.Phase{{Blocks: serial, Traffic: []timing.Traffic{lines(next)}}, {Blocks: team, Traffic: []timing.Traffic{lines(next)}}}}, 4 + 4*2},
		"side by side":            {timing.Input{Threads: 1, Traffic: []timing.Traffic{beside}, Blocks: work}, math.Hypot(4, 3) + exposed/3},
		"all at the start":        {timing.Input{Threads: 1, Traffic: []timing.Traffic{soon}, Blocks: work}, math.Hypot(4, 3) + 3*(1-math.Exp(-0.5*0.3/3))},
		"far, with work":          {timing.Input{Threads: 1, Traffic: []timing.Traffic{lines(bandwidth.RandomStep())}, Blocks: work}, math.Hypot(16, 3) + 20*(1-math.Exp(-2*3./20))},
		"far, one after another":  {timing.Input{Threads: 1, Traffic: []timing.Traffic{farSoon}, Blocks: work}, math.Hypot(16, 3) + 20*(1-math.Exp(-2*0.3/20))},
		"a quarter of them begun": {timing.Input{Threads: 1, Traffic: []timing.Traffic{followed}}, 4 + 10*(1-math.Exp(-4*8./40))/8},
		"in short runs":           {timing.Input{Threads: 1, Traffic: []timing.Traffic{short}}, 4 + 40*(1-math.Exp(-4*8./40))/8},
		"loop after loop":         {timing.Input{Threads: 1, Traffic: []timing.Traffic{lines(next)}, Blocks: work, Phases: []timing.Phase{{Traffic: []timing.Traffic{lines(next)}}, {Blocks: work, Traffic: []timing.Traffic{{}}}}}, 4 + 3},
		"page walks":              {timing.Input{Threads: 1, Traffic: []timing.Traffic{lines(next)}, Walks: 1e4}, math.Hypot(4, 0.5)},
		"far tables":              {timing.Input{Threads: 1, Traffic: []timing.Traffic{lines(next)}, Walks: 1e4, Table: 0.5}, math.Hypot(4, 1)},
		"two cores":               {timing.Input{Threads: 2, Traffic: []timing.Traffic{lines(next)}}, 4},
		"between the teams":       {timing.Input{Threads: 3, Traffic: []timing.Traffic{lines(next)}}, 4 * 1.5},
		"four cores":              {timing.Input{Threads: 4, Traffic: []timing.Traffic{lines(next)}}, 4 * 2},
		"three of four idle":      {timing.Input{Threads: 4, Imbalance: 4, Traffic: []timing.Traffic{lines(next)}}, 4},
		"past what measured":      {timing.Input{Threads: 8, Traffic: []timing.Traffic{lines(next)}}, 4 * 4},
	} {
		e, err := timing.Bandwidth(c.in, fitted())
		if err != nil {
			t.Fatal(err)
		}
		levels := 0.0
		for _, s := range e.Levels {
			levels += s
		}
		if math.Abs(e.Time*1e3/c.want-1) > 1e-9 || math.Abs(levels-e.Memory) > 1e-12 || e.Time < e.Low || e.Time > e.High*(1+1e-12) {
			t.Errorf("%s: %g ms, levels %g, memory %g, from %g to %g; want %g", name, e.Time*1e3, levels*1e3, e.Memory*1e3, e.Low*1e3, e.High*1e3, c.want)
		}
	}
	// Of much work for each line of a single array the interval says that prefetchers may give up; of little, or of several arrays, not.
	for _, c := range []struct {
		times, streams float64
		more           float64 // ms
	}{{1, 1, 0}, {10, 1, 12 + 20*(1-math.Exp(-2*30./20))}, {10, 3, 0}} {
		much := *work[0]
		much.Executions *= c.times
		of := lines(next)
		of.Streams = c.streams
		e, err := timing.Bandwidth(timing.Input{Threads: 1, Traffic: []timing.Traffic{of}, Blocks: []*timing.Block{&much}}, fitted())
		if err != nil {
			t.Fatal(err)
		}
		exposed := 3 * (1 - math.Exp(-0.5*3*c.times/3)) / c.streams
		if want := 3*c.times + 4 + exposed + c.more; math.Abs(e.High*1e3/want-1) > 1e-9 {
			t.Errorf("%g times the work, %g streams: up to %g ms, want %g", c.times, c.streams, e.High*1e3, want)
		}
	}
	// Lines from L2 wait for nothing behind code that was followed through the core, but take a cycle of it; those from memory do.
	code := []*timing.Block{{Executions: 1, Compiled: &timing.Compiled{Cycles: 6e6, Instructions: 24e6}}}
	both := fitted()
	for _, f := range both.Measured.Fits {
		f.Form.Sources[0].Name = "L2"
	}
	both.Levels = append(both.Levels, machine.Level{Name: "L2", LatencyCycles: both.Levels[0].LatencyCycles})
	both.Measured.Fits = both.Measured.Fits[:1]
	form := &both.Measured.Fits[0].Form
	form.Sources = append(form.Sources, form.Sources[0])
	form.Sources[1].Name = "memory"
	form.Capacities = append(form.Capacities, bandwidth.Capacity{Bytes: 1 << 20, Width: 0.05})
	cycle, err := both.Seconds(lines(next).Lines)
	if err != nil {
		t.Fatal(err)
	}
	for level, want := range map[string]float64{"L2": math.Hypot(4, 3+1e3*cycle), "memory": math.Hypot(4, 3) + exposed} {
		in := timing.Input{Threads: 1, Traffic: []timing.Traffic{{Level: "L2"}, {Level: "memory"}}, Blocks: code}
		for i := range in.Traffic {
			if in.Traffic[i].Level == level {
				in.Traffic[i] = lines(next)
				in.Traffic[i].Level = level
			}
		}
		e, err := timing.Bandwidth(in, both)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(e.Time*1e3/want-1) > 1e-9 {
			t.Errorf("code that was followed, lines from %s: %g ms, want %g", level, e.Time*1e3, want)
		}
	}
	alone := timing.Input{Threads: 4, Traffic: []timing.Traffic{lines(next)}, Blocks: []*timing.Block{{}}, Imbalance: 1}
	e, err := timing.Bandwidth(alone, fitted())
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(e.Time*1e3-4) > 1e-9 {
		t.Errorf("serial code waits for no other thread: %g ms", e.Time*1e3)
	}
	m := fitted()
	m.Measured = nil
	var none *timing.NoFitError
	if _, err := timing.Bandwidth(timing.Input{Threads: 1}, m); !errors.As(err, &none) {
		t.Error(err)
	}
}
