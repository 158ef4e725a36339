package probe

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"foresee/internal/workspace"
	"foresee/machine"
	"foresee/machine/probe/instructions"
)

// Options say how to measure.
type Options struct {
	Compiler *Compiler
	Thorough bool
	Most     int64  // bytes of the largest array; 0: four times the last level, as far as memory allows
	memory   int64  // bytes that are free; 0: not known
	CPUs     []int  // that may be used; the first measures alone; nil: those that this process may use
	Keep     string // a file that keeps what was measured, for an interrupted run to go on with; empty: none
	Date     string // for sources
	Progress func(done, total int)
}

// Measure measures the machine described by base (cores, and caches where they are known) and gives it with what was found. It goes on
// without what this machine refuses, and notes that.
func Measure(ctx context.Context, base *machine.Machine, o Options) (*machine.Machine, error) {
	p, err := o.start(ctx)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	key, err := o.Compiler.key()
	if err != nil {
		return nil, err
	}
	n, err := openNotebook(o.Keep, fmt.Sprintf("foresee probe 3 %s %s %v %d", key, base.Title, o.Thorough, o.Most), p)
	if err != nil {
		return nil, err
	}
	defer n.close()
	m, err := With(ctx, base, n, o)
	if err != nil {
		return nil, err
	}
	return m, o.instructions(ctx, m)
}

// instructions adds what a core's instructions cost, where they can be measured: on x86-64.
func (o *Options) instructions(ctx context.Context, m *machine.Machine) error {
	if runtime.GOARCH != "amd64" {
		m.Notes = append(m.Notes, "what instructions cost was not measured: that is known of x86-64 alone")
		return nil
	}
	work, err := workspace.New("instructions")
	if err != nil {
		return err
	}
	defer work.Remove()
	vex, wide := instructions.Extensions()
	found, err := instructions.Measure(ctx, []string{o.Compiler.Path}, work.Path, vex, wide)
	switch {
	case errors.Is(err, instructions.ErrNoise):
		m.Notes = append(m.Notes, "left out: what instructions cost ("+err.Error()+")")
		return nil
	case err != nil:
		return err
	}
	m.Instructions = found.Table(fmt.Sprintf("measured %s by blocking", o.Date))
	if err := m.Validate(); err != nil { // no noise may keep the rest of what was measured from being read
		m.Instructions = nil
		m.Notes = append(m.Notes, "left out: what instructions cost, as some of it cannot be; measure again when nothing else runs")
		return nil
	}
	mixed(m)
	return nil
}

// mixed takes for the issue width what a mix of instructions reaches, where those that do nothing go through faster: AMD's Zen 4 joins two of them to one.
func mixed(m *machine.Machine) {
	if w, ok := m.Core.IssueWidth.Get(); !ok || w > m.Instructions.Width {
		m.Core.IssueWidth = value(round(m.Instructions.Width), m.Instructions.Source+": additions, vectors, loads and stores, mixed")
	}
}

// start fills in what is not said and starts the probe.
func (o *Options) start(ctx context.Context) (*Program, error) {
	if o.CPUs == nil {
		o.CPUs = Allowed()
	}
	if o.memory == 0 {
		o.memory = freeMemory()
	}
	return Start(ctx, o.Compiler)
}

// With is Measure by any Asker: Options need CPUs.
func With(ctx context.Context, base *machine.Machine, a Asker, o Options) (*machine.Machine, error) {
	m := newMeasurement(ctx, base, a, o)
	if err := m.collect(); err != nil {
		return nil, err
	}
	return m.machine()
}

// collect asks for all that is to be known.
func (m *measurement) collect() error {
	m.planFacts()
	m.planChase(m.reach())
	if err := m.run(); err != nil {
		return err
	}
	if err := m.repeat(); err != nil { // all else goes by it
		return err
	}
	if err := m.findLevels(); err != nil {
		return err
	}
	m.plan()
	if err := m.run(); err != nil {
		return err
	}
	m.chaseOuterAgain()
	if err := m.run(); err != nil {
		return err
	}
	return m.repeat()
}

func newMeasurement(ctx context.Context, base *machine.Machine, a Asker, o Options) *measurement {
	described := *base
	described.Levels = slices.Clone(base.Levels)
	return &measurement{
		ctx: ctx, base: &described, asker: a, options: o, most: o.Most,
		bursts: map[string][]burst{}, answers: map[string]Sample{}, several: map[string][][]float64{}, asked: map[string]int{}, curves: map[string][]string{},
	}
}

// step is one command and the name of what it measures. Steps of one name are of the same thing, at several times.
type step struct {
	key, command string
	several      bool // the answers are of several things, not bursts of one
	long         bool // too long to be repeated often
}

// measurement is one in progress.
type measurement struct {
	ctx       context.Context
	base      *machine.Machine // as described; once the chase was made, with the levels that it found
	asker     Asker
	options   Options
	most      int64 // bytes of the largest array
	farthest  int64 // bytes of the largest chase
	steps     []step
	done      int
	bursts    map[string][]burst
	answers   map[string]Sample
	several   map[string][][]float64
	asked     map[string]int      // times a command was
	curves    map[string][]string // names of the steps of each curve, the smallest size first
	refused   []string
	left      []string // what was left out, and why
	scattered int      // points of sweeps that were left out
	notes     []string
	page      int64
}

func (m *measurement) ask(key, format string, args ...any) {
	m.steps = append(m.steps, step{key: key, command: fmt.Sprintf(format, args...)})
}

func (m *measurement) askSeveral(key, format string, args ...any) {
	m.steps = append(m.steps, step{key: key, command: fmt.Sprintf(format, args...), several: true})
}

// Sizes of arrays, and times.
const (
	leastBytes  = 1 << 10
	sweepSizes  = 54 // as MultiMAPS
	coarseSizes = 27
	fewSizes    = 11
	burstNs     = 1.5e5    // short, so that most run through
	longBytes   = 64 << 20 // from here on one pass is long enough
)

func (m *measurement) planFacts() {
	m.askSeveral("facts", "facts")
	m.askSeveral("pin", "pin %d", m.options.CPUs[0])
	m.askSeveral("noise", "noise 2e8")
	m.ask(additions, "operation %s 15 %g", additions, burstNs)
}

// plan is all but the first chase. What takes short is asked in rounds between what takes long, so that all but one may fall into times in which
// others work.
func (m *measurement) plan() {
	m.planRound()
	m.askSeveral("hold small", "hold %d 0", min(m.most, longestSmall))
	m.planSmallChase()
	for range rounds {
		m.askSeveral("hold usual", "hold %d %d", m.most, usualPages)
		m.planSweeps()
		m.planStreams()
		m.planRound()
	}
	m.askSeveral("drop", "hold 0 0")
	for range rounds + 1 {
		m.planTeams()
	}
	m.askSeveral("unpin", "pin -1")
	for range rounds + 1 {
		for _, n := range teamSizes(len(m.options.CPUs)) {
			m.ask(forkKey(n), "region fork %d 5 1e6", n)
			m.ask(barrierKey(n), "region barrier %d 5 1e6", n)
		}
	}
}

// rounds of the sweeps; of what takes short there is one more.
const rounds = 2

func (m *measurement) planRound() {
	samples := briefSamples
	if m.options.Thorough {
		samples = 15
	}
	for _, s := range operationSteps() {
		m.ask(s, "operation %s %d %g", s, samples, burstNs)
	}
	m.ask("store throughput", "operation store throughput %d %g", storeSamples, burstNs)
	m.planBrief(samples)
	m.planChase(m.most)
	for _, n := range windows {
		m.ask(windowKey(n), "window %d %d 5", n, min(m.most, windowBytes))
	}
}

// planBrief asks once more for what takes a few ms, is not known otherwise, and decides much: also between sweeps, as other guests are busy for
// seconds.
func (m *measurement) planBrief(samples int) {
	m.ask("issue", "issue %d %g", samples, burstNs)
	m.ask(faultKey, "fault %d %g", samples, faultNs)
}

const briefSamples = 5

func (m *measurement) planSweeps() {
	m.planSweep(machine.SweepRead, Strides)
	if m.options.Thorough {
		m.planSweep(machine.SweepUpdate, Strides)
		m.planSweep(machine.SweepVector, Strides)
	} else {
		m.planSweep(machine.SweepUpdate, []int{1, 4, 8, 64})
		m.planSweep(machine.SweepVector, []int{1, 64})
	}
	m.planBrief(briefSamples)
	m.planSweep(machine.SweepPages, pageStrides)
	m.planSweep(machine.SweepColumns, stridesOf(machine.SweepColumns))
	m.planSweep(machine.SweepUpdateColumns, stridesOf(machine.SweepUpdateColumns))
	m.planBrief(briefSamples)
	m.planWorked(machine.SweepWorked)
	m.planWorked(machine.SweepUpdateWorked)
	m.planBrief(briefSamples)
	m.planRuns(machine.SweepRuns)
	m.planRuns(machine.SweepUpdateRuns)
}

// faultKey is the step of pages that are touched first; faultNs is long enough for some hundred of them.
const (
	faultKey = "fault"
	faultNs  = 3e5
)

// storeSamples are many: where another guest shares the core's store buffer, stores are slower for some ms at a time.
const storeSamples = 21

// windows are the distances, in instructions, of two loads that are tried for whether the core still sees both; windowBytes is what
// they go through.
var windows = []int{32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480, 512, 544, 608, 672, 768, 1024}

const windowBytes = 128 << 20

func windowKey(n int) string { return fmt.Sprintf("window %d", n) }

// teamSizes are 1, 2, 4 … and all.
func teamSizes(n int) (out []int) {
	for t := 1; t < n; t *= 2 {
		out = append(out, t)
	}
	return append(out, n)
}

func forkKey(n int) string    { return fmt.Sprintf("fork %d", n) }
func barrierKey(n int) string { return fmt.Sprintf("barrier %d", n) }

// capacity is what a level of the machine holds.
func (m *measurement) capacity(level int, other int64) int64 {
	if size, ok := m.base.Levels[level].Capacity(); ok {
		return int64(size)
	}
	return other
}

// teamBytes is the size of each thread's array that lies well inside a level, or in memory.
func (m *measurement) teamBytes(level int, threads int) int64 {
	if level == len(m.base.Levels) {
		share := m.most / int64(threads)
		return min(share, max(32<<20, 2*m.capacity(level-1, 1<<20)/int64(threads)))
	}
	size := m.capacity(level, 1<<20)
	inner := int64(0)
	if level > 0 {
		inner = m.capacity(level-1, 1<<10)
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

// usualSteps are about as many as there are in all, for who waits before the first chase tells.
const usualSteps = 2500

func (m *measurement) run() error {
	for ; m.done < len(m.steps); m.done++ {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		if m.options.Progress != nil {
			m.options.Progress(m.done, max(len(m.steps), usualSteps))
		}
		err := m.one(m.steps[m.done])
		var refused *RefusedError
		switch {
		case errors.As(err, &refused):
			if text := strings.TrimSpace(refused.Command) + ": " + refused.Cause; !slices.Contains(m.refused, text) {
				m.refused = append(m.refused, text)
			}
		case err != nil && m.ctx.Err() != nil:
			return m.ctx.Err()
		case err != nil:
			return err
		}
	}
	return nil
}

// one carries out a step.
func (m *measurement) one(s step) error {
	command := s.command + strings.Repeat(" ", m.asked[s.command]) // another question each time, for what is kept
	m.asked[s.command]++
	values, err := m.asker.Ask(command)
	if err != nil {
		return err
	}
	if s.several {
		m.several[s.key] = append(m.several[s.key], values)
		return nil
	}
	bursts, err := burstsOf(s.command, values)
	if err != nil {
		return err
	}
	for _, b := range bursts {
		if s.long {
			b = b.ran()
		}
		m.bursts[s.key] = append(m.bursts[s.key], b)
	}
	m.answers[s.key] = sampleOf(m.bursts[s.key])
	return nil
}

// first is the first answer to what is asked for several things; nil where there is none.
func (m *measurement) first(key string) []float64 {
	if all := m.several[key]; len(all) > 0 {
		return all[0]
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
