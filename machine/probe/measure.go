package probe

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"foresee/machine"
)

// Options say how to measure.
type Options struct {
	Compiler *Compiler
	Thorough bool
	Most     int64  // bytes of the largest array; 0: four times the last level, as far as memory allows
	CPUs     []int  // that may be used; the first measures alone; nil: those that this process may use
	Keep     string // a file that keeps what was measured, for an interrupted run to go on with; empty: none
	Date     string // for sources
	Progress func(done, total int)
}

// Measure measures the machine described by base (caches, cores) and gives it with what was found. It goes on without what this
// machine refuses, and notes that.
func Measure(ctx context.Context, base *machine.Machine, o Options) (*machine.Machine, error) {
	p, err := o.start(ctx, base)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	key, err := o.Compiler.key()
	if err != nil {
		return nil, err
	}
	n, err := openNotebook(o.Keep, fmt.Sprintf("foresee probe 2 %s %s %v %d", key, base.Title, o.Thorough, o.Most), p)
	if err != nil {
		return nil, err
	}
	defer n.close()
	return With(ctx, base, n, o)
}

// start fills in what is not said and starts the probe.
func (o *Options) start(ctx context.Context, base *machine.Machine) (*Program, error) {
	if o.CPUs == nil {
		o.CPUs = Allowed()
	}
	if o.Most == 0 {
		o.Most = mostBytes(base)
	}
	return Start(ctx, o.Compiler)
}

// With is Measure by any Asker: Options need CPUs and Most.
func With(ctx context.Context, base *machine.Machine, a Asker, o Options) (*machine.Machine, error) {
	m := &measurement{ctx: ctx, base: base, asker: a, options: o, answers: map[string]Sample{}}
	m.plan()
	if err := m.run(); err != nil {
		return nil, err
	}
	return m.machine()
}

// step is one command and the name of what it measures.
type step struct {
	key, command string
	several      bool // the answers are of several things, not samples of one
	long         bool // too long to be repeated often
	fastest      bool // see fastestOf
}

// measurement is one in progress.
type measurement struct {
	ctx     context.Context
	base    *machine.Machine
	asker   Asker
	options Options
	steps   []step
	answers map[string]Sample
	several map[string][]float64
	refused []string
	page    int64
}

func (m *measurement) ask(key, format string, args ...any) {
	m.steps = append(m.steps, step{key: key, command: fmt.Sprintf(format, args...)})
}

func (m *measurement) askSeveral(key, format string, args ...any) {
	m.steps = append(m.steps, step{key: key, command: fmt.Sprintf(format, args...), several: true})
}

// Sizes of arrays and times, by thoroughness.
const (
	leastBytes  = 1 << 10
	sweepSizes  = 54 // as MultiMAPS
	coarseSizes = 27
	fewSizes    = 11
	sampleNs    = 5e5
	longBytes   = 64 << 20 // from here on one pass is long enough
)

func (m *measurement) plan() {
	m.several = map[string][]float64{}
	cpu := m.options.CPUs[0]
	most := m.options.Most
	m.askSeveral("facts", "facts")
	m.askSeveral("pin", "pin %d", cpu)
	m.askSpin(0)
	m.askSeveral("noise", "noise 2e8")
	for _, s := range operationSteps() {
		m.ask(s, "operation %s 7 %g", s, sampleNs/2)
	}
	m.ask("store throughput", "operation store throughput %d %g", storeSamples, sampleNs/2)
	m.steps[len(m.steps)-1].fastest = true
	m.ask("issue", "issue 7 %g", sampleNs/2)
	m.askSpin(1)
	m.askSeveral("hold huge", "hold %d 1", most)
	m.planChases(true)
	for _, n := range windows {
		m.ask(windowKey(n), "window %d %d 3", n, min(most, windowBytes))
	}
	m.askSeveral("hold small", "hold %d 0", most)
	m.planChases(false)
	m.askSpin(2)
	m.planSweep(machine.SweepRead, Strides)
	m.askSpin(3)
	if m.options.Thorough {
		m.planSweep(machine.SweepUpdate, Strides)
		m.planSweep(machine.SweepVector, Strides)
	} else {
		m.planSweep(machine.SweepUpdate, []int{1, 4, 8, 64})
		m.planSweep(machine.SweepVector, []int{1, 64})
	}
	m.planSweep(machine.SweepPages, pageStrides)
	m.planSweep(machine.SweepColumns, stridesOf(machine.SweepColumns))
	m.planSweep(machine.SweepUpdateColumns, stridesOf(machine.SweepUpdateColumns))
	m.planWorked(machine.SweepWorked)
	m.planWorked(machine.SweepUpdateWorked)
	m.planRuns(machine.SweepRuns)
	m.planRuns(machine.SweepUpdateRuns)
	m.askSpin(4)
	m.askSeveral("drop", "hold 0 0")
	m.planTeams()
	m.askSeveral("unpin", "pin -1")
	for _, n := range teamSizes(len(m.options.CPUs)) {
		m.ask(fmt.Sprintf("fork %d", n), "region fork %d 9 1e6", n)
		m.ask(fmt.Sprintf("barrier %d", n), "region barrier %d 9 1e6", n)
	}
}

// storeSamples are many: where another guest shares the core's store buffer, stores are slower for some ms at a time.
const storeSamples = 61

// windows are the distances, in instructions, of two loads that are tried for whether the core still sees both; windowBytes is what
// they go through.
var windows = []int{32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512, 544, 608, 672, 768, 1024}

const windowBytes = 128 << 20

func windowKey(n int) string { return fmt.Sprintf("window %d", n) }

// spins are the measurements of the clock, in order.
var spins = []string{"spin", "spin 1", "spin 2", "spin 3", "spin 4"}

func (m *measurement) askSpin(i int) {
	m.ask(spins[i], "spin 9 %g", 2e6+float64(i)) // each another question, for what is kept
}

// chaseStride is that of chases, in bytes: a line, so that neither a sector nor a neighbour of it comes along for nothing.
const chaseStride = 64

// chaseSizes are those of chases: some on each plateau, and some between.
func (m *measurement) chaseSizes() []int64 {
	n := 3
	if m.options.Thorough {
		n = 6
	}
	octaves := math.Log2(float64(min(m.options.Most, longestChase)) / 4096)
	return sizes(4096, float64(min(m.options.Most, longestChase)), max(2, int(octaves*float64(n)/2)))
}

// longestChase bounds chases: linking a longer one up takes seconds.
const longestChase = 2 << 30

func (m *measurement) planChases(huge bool) {
	name, flag := "small", 0
	if huge {
		name, flag = "huge", 1
	}
	for _, b := range m.chaseSizes() {
		samples := 5
		if m.options.Thorough {
			samples = 15
		}
		m.ask(fmt.Sprintf("chase %s %d", name, b), "chase %d %d %d 1 %d %g", b, chaseStride, flag, samples, sampleNs)
	}
}

// teamSizes are 1, 2, 4 … and all.
func teamSizes(n int) (out []int) {
	for t := 1; t < n; t *= 2 {
		out = append(out, t)
	}
	return append(out, n)
}

// teamBytes is the size of each thread's array that lies well inside a level, or in memory.
func (m *measurement) teamBytes(level int, threads int) int64 {
	if level == len(m.base.Levels) {
		share := m.options.Most / int64(threads)
		return min(share, max(32<<20, 2*int64(m.base.Levels[level-1].Size.Or(1<<20))/int64(threads)))
	}
	size := int64(m.base.Levels[level].Size.Or(1 << 20))
	inner := int64(0)
	if level > 0 {
		inner = int64(m.base.Levels[level-1].Size.Or(1 << 10))
	}
	return min(int64(math.Sqrt(float64(inner*3)*float64(size)/2)), 4*inner)
}

func (m *measurement) planTeams() {
	for level := 1; level <= len(m.base.Levels); level++ {
		for _, stride := range []int{1, 8} {
			for _, n := range teamSizes(len(m.options.CPUs)) {
				m.askSeveral(teamKey(level, stride, n), "team read %d %d 2e7%s", stride, m.teamBytes(level, n), cpuList(m.options.CPUs[:n]))
			}
		}
	}
}

func teamKey(level, stride, n int) string { return fmt.Sprintf("team %d %d %d", level, stride, n) }

func cpuList(cpus []int) string {
	var b strings.Builder
	for _, c := range cpus {
		fmt.Fprintf(&b, " %d", c)
	}
	return b.String()
}

// unsteady is the spread from which a measurement is repeated, at most mostTries times in all.
const (
	unsteady  = 0.05
	mostTries = 3
)

func (m *measurement) run() error {
	for i, s := range m.steps {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		if m.options.Progress != nil {
			m.options.Progress(i, len(m.steps))
		}
		err := m.one(s)
		var refused *RefusedError
		switch {
		case errors.As(err, &refused):
			m.refused = append(m.refused, refused.Error())
		case err != nil && m.ctx.Err() != nil:
			return m.ctx.Err()
		case err != nil:
			return err
		}
	}
	return nil
}

// one carries out a step; where the samples lie apart it is repeated, and the steadiest counts.
func (m *measurement) one(s step) error {
	if s.several {
		values, err := m.asker.Ask(s.command)
		m.several[s.key] = values
		return err
	}
	tries := mostTries
	if s.long {
		tries = 1
	}
	for try := range tries {
		values, err := m.asker.Ask(s.command + strings.Repeat(" ", try)) // another question, for what is kept
		if err != nil {
			return err
		}
		if s.fastest {
			m.answers[s.key] = fastestOf(values)
			return nil
		}
		got := sampleOf(values)
		if was, ok := m.answers[s.key]; !ok || got.Spread < was.Spread {
			m.answers[s.key] = got
		}
		if m.answers[s.key].Spread <= unsteady {
			break
		}
	}
	return nil
}

func operationSteps() (out []string) {
	for _, o := range operations {
		out = append(out, o.name+" latency", o.name+" throughput")
	}
	return append(out, "load throughput")
}

// operation is one that the probe knows.
type operation struct {
	name, kind, typ string
	lanes           int
}

var operations = func() (out []operation) {
	for _, kind := range []string{machine.Add, machine.Mul, machine.Div} {
		out = append(out, operation{kind + "_int", kind, machine.Int, 1})
	}
	for _, typ := range []string{machine.F64, machine.F32} {
		for _, kind := range []string{machine.Add, machine.Mul, machine.FMA, machine.Div, machine.Sqrt} {
			out = append(out, operation{kind + "_" + typ, kind, typ, 1})
		}
		for _, function := range machine.Functions {
			out = append(out, operation{function + "_" + typ, function, typ, 1})
		}
	}
	for _, kind := range []string{machine.Add, machine.Mul, machine.Div} {
		out = append(out, operation{kind + "_f64x2", kind, machine.F64, 2}, operation{kind + "_f32x4", kind, machine.F32, 4})
	}
	return out
}()
