package probe

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
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

// Strides are those of MultiMAPS, in elements of 8 bytes.
var Strides = []int{1, 2, 4, 8, 16, 32, 64}

// rows are the lengths of rows, in lines, of matrices that are walked down their columns. The strides of MultiMAPS are powers of
// two, whose lines crowd into a part of a cache's sets; the first of these do not, and go past what prefetchers follow and past a
// page. The last two crowd, into one set of many and into every other.
var (
	rows       = []int{3, 9, 33, 161, 257, 64, 66}
	updateRows = []int{9, 161, 64}
)

// stridesOf are those of a kind of sweep, in elements.
func stridesOf(kind string) []int {
	lines := rows
	switch kind {
	case machine.SweepColumns:
	case machine.SweepUpdateColumns:
		lines = updateRows
	case machine.SweepPages:
		return pageStrides
	default:
		return Strides
	}
	out := make([]int, len(lines))
	for i, n := range lines {
		out[i] = n * chaseStride / 8
	}
	return out
}

// fewestRows is the shortest column walked.
const fewestRows = 32

// pageStrides are steps to another page, in elements: lengths of rows as programs have them, by which pages spread over the sets of a
// TLB more or less evenly. A walk comes to so many pages that L2 holds a line of each, and second-level TLBs end between.
var pageStrides = []int{1288, 2100}

const (
	fewestPages = 1024
	mostPages   = 8192
	pageSizes   = 9
)

// worked are the sweeps with work, on one array, on several and down columns, as the probe knows them: no more in sequence than leaves
// memory the longer part.
var worked = map[string][]work{
	machine.SweepWorked:       {{0, 3, 1}, {2, 1, 1}, {2, 3, 1}, {2, 1, 72}, {4, 1, 72}, {2, 1, 1288}, {4, 1, 1288}},
	machine.SweepUpdateWorked: {{2, 1, 1}, {2, 3, 1}, {2, 1, 72}, {2, 1, 1288}},
}

// work is so many products and sums of each element of so many arrays side by side; of a stride other than 1, down the columns of a
// matrix with rows of so many elements.
type work struct{ amount, streams, stride int }

func (w work) String() string {
	if w.stride > 1 {
		return fmt.Sprintf("%d products and sums, rows of %s", w.amount, machine.FormatSize(8*int64(w.stride)))
	}
	return fmt.Sprintf("%d products and sums, arrays side by side: %d", w.amount, w.streams)
}

// leastWorked is the smallest array of sweeps with work, which L1 holds.
const leastWorked = 12 << 10

func (m *measurement) workedSizes(w work) []int64 {
	n, least := fewSizes, leastWorked
	if w.stride > 1 {
		least = max(least, fewestRows*8*w.stride)
	}
	if m.options.Thorough {
		n = coarseSizes
	}
	return sizes(float64(least), float64(max(m.options.Most/2, int64(least)+8)), n)
}

func workedKey(kind string, w work, bytes int64) string {
	return fmt.Sprintf("%s %d %d %d %d", kind, w.amount, w.streams, w.stride, bytes)
}

func (m *measurement) planWorked(kind string) {
	for _, w := range worked[kind] {
		for _, b := range m.workedSizes(w) {
			samples, ns := m.fewRepeats(b)
			m.ask(workedKey(kind, w, b), "%s", workCommand(kind, w, b, usualPages, samples, ns))
			m.steps[len(m.steps)-1].long = !m.options.Thorough && b >= longBytes
		}
	}
}

// workCommand asks for a point of a sweep with work.
func workCommand(kind string, w work, bytes int64, pages, samples int, ns float64) string {
	verb := machine.SweepRead
	if kind == machine.SweepUpdateWorked {
		verb = machine.SweepUpdate
	}
	return fmt.Sprintf("work %s %d %d %d %d %d %d %g", verb, w.amount, w.streams, w.stride, bytes, pages, samples, ns)
}

// The widths of tiles, in lines, and the rows of the matrix that they are of: as long as no power of two. Of a matrix of two rows L1
// holds all.
var (
	runLines  = []int{2, 8, 32}
	runStride = 1288
)

const (
	runSizes   = 8
	fewestRuns = 64 // rows of a tile
)

func (m *measurement) runSizes() []int64 {
	row := float64(8 * runStride)
	out := []int64{2 * int64(row)}
	n := runSizes
	if m.options.Thorough {
		n = coarseSizes
	}
	return append(out, sizes(fewestRuns*row, float64(max(m.options.Most/2, 2*fewestRuns*8*int64(runStride))), n)...)
}

func runsKey(kind string, lines int, bytes int64) string {
	return fmt.Sprintf("%s %d %d", kind, lines, bytes)
}

// runsCommand asks for a point of a sweep in tiles.
func runsCommand(kind string, lines, stride int, bytes int64, pages, samples int, ns float64) string {
	verb := machine.SweepRead
	if kind == machine.SweepUpdateRuns {
		verb = machine.SweepUpdate
	}
	return fmt.Sprintf("runs %s %d %d %d %d %d %g", verb, lines, stride, bytes, pages, samples, ns)
}

func (m *measurement) planRuns(kind string) {
	for _, lines := range runLines {
		for _, b := range m.runSizes() {
			samples, ns := m.fewRepeats(b)
			m.ask(runsKey(kind, lines, b), "%s", runsCommand(kind, lines, runStride, b, usualPages, samples, ns))
			m.steps[len(m.steps)-1].long = !m.options.Thorough && b >= longBytes
		}
	}
}

// sizes are n, evenly apart in their logarithms.
func sizes(least, most float64, n int) (out []int64) {
	for i := range n {
		b := int64(math.Round(least*math.Pow(most/least, float64(i)/float64(n-1)))) / 8 * 8
		if len(out) == 0 || b > out[len(out)-1] {
			out = append(out, b)
		}
	}
	return out
}

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

// repeats is the number of samples of a walk and their least time.
func (m *measurement) repeats(bytes int64) (samples int, ns float64) {
	switch {
	case m.options.Thorough:
		return 11, 2 * sampleNs
	case bytes >= longBytes:
		return 1, 1
	}
	return 7, sampleNs
}

// fewRepeats are those of sweeps whose passes take long.
func (m *measurement) fewRepeats(bytes int64) (samples int, ns float64) {
	samples, ns = m.repeats(bytes)
	if bytes >= longBytes {
		samples = min(samples, 3)
	}
	return samples, ns
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

// sweepSizes are those of a kind of sweep by a stride.
func (m *measurement) sweepSizes(kind string, stride int) []int64 {
	switch kind {
	case machine.SweepColumns, machine.SweepUpdateColumns:
		return m.columnSizes(stride)
	case machine.SweepPages:
		each := 8 * float64(stride)
		return slices.DeleteFunc(sizes(fewestPages*each, mostPages*each, pageSizes), func(b int64) bool { return b > m.options.Most })
	}
	if kind != machine.SweepRead && !m.options.Thorough {
		return sizes(leastBytes, float64(m.options.Most), coarseSizes)
	}
	return sizes(leastBytes, float64(m.options.Most), sweepSizes)
}

func (m *measurement) planSweep(kind string, strides []int) {
	for _, stride := range strides {
		for _, b := range m.sweepSizes(kind, stride) {
			if b < int64(stride)*16 { // an array has two elements
				continue
			}
			samples, ns := m.repeats(b)
			long := !m.options.Thorough && b >= longBytes
			if kind == machine.SweepColumns || kind == machine.SweepUpdateColumns {
				samples, ns = m.fewRepeats(b)
			}
			m.ask(sweepKey(kind, stride, b), "%s", sweepCommand(kind, stride, b, usualPages, samples, ns))
			m.steps[len(m.steps)-1].long = long
		}
	}
}

// Pages of a sweep: small ones, or such as programs get.
const (
	smallPages = 0
	usualPages = 2
)

// sweepCommand asks for a point of a sweep.
func sweepCommand(kind string, stride int, bytes int64, pages, samples int, ns float64) string {
	verb, what := "walk", kind
	switch kind {
	case machine.SweepColumns:
		verb, what = "columns", machine.SweepRead
	case machine.SweepUpdateColumns:
		verb, what = "columns", machine.SweepUpdate
	case machine.SweepPages:
		what = machine.SweepRead
	}
	return fmt.Sprintf("%s %s %d %d %d %d %g", verb, what, stride, bytes, pages, samples, ns)
}

// columnSizes are those of matrices that L1 does not hold, with columns of some length.
func (m *measurement) columnSizes(stride int) []int64 {
	least := max(int64(m.base.Levels[0].Size.Or(leastBytes)), fewestRows*int64(stride)*8)
	n := fewSizes
	if m.options.Thorough {
		n = coarseSizes
	}
	return sizes(float64(least), float64(max(m.options.Most/2, least+8)), n)
}

func sweepKey(kind string, stride int, bytes int64) string {
	return fmt.Sprintf("walk %s %d %d", kind, stride, bytes)
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
