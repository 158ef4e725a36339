package probe

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/internal/quantile"
	"foresee/machine"
	"foresee/machine/probe/chase"
)

// largestSmallPage is the largest page, in bytes, of which sweeps come to so many that walks show. It is the largest usual one: that of Arm.
const largestSmallPage = 64 << 10

// source says how a value was measured.
func (m *measurement) source(how string, s Sample) string {
	return fmt.Sprintf("%s: %s; %s", m.when(), how, s.said())
}

// when says when and with what all was measured.
func (m *measurement) when() string {
	text := "measured"
	if m.options.Date != "" {
		text += " " + m.options.Date
	}
	if m.options.Compiler != nil {
		text += " with " + m.options.Compiler.String()
	}
	return text
}

// machine is the machine with all that was measured.
func (m *measurement) machine() (*machine.Machine, error) {
	out := *m.base
	out.Notes = append(remaining(m.base.Notes), m.notes...)
	out.Levels = slices.Clone(m.base.Levels)
	out.Measured = &machine.Measured{Source: m.when()}
	m.page = usualPage
	if facts := m.first("facts"); len(facts) > 3 {
		m.page = int64(facts[3])
	}
	out.Measured.Page = machine.Size(m.page)
	if m.page > largestSmallPage {
		note(&out, "arrays lie in pages of %s: how many of them the TLB reaches, and what walks cost, was not measured", machine.FormatSize(m.page))
	}
	if err := m.values(&out); err != nil {
		return nil, err
	}
	m.sweptPast(&out)
	if err := m.fits(&out); err != nil {
		return nil, err
	}
	m.teams(&out)
	m.regions(&out)
	m.tellLeft(&out)
	if len(m.refused) > 0 {
		note(&out, "not measured: %s", strings.Join(m.refused, "; "))
	}
	if err := out.Validate(); err != nil {
		return nil, fmt.Errorf("what was measured cannot be: %w", err)
	}
	return &out, nil
}

// usualPage is a page, in bytes, where the probe does not tell: that of x86-64.
const usualPage = 4096

// values are those that no bandwidth function is needed for.
func (m *measurement) values(out *machine.Machine) error {
	if err := m.clock(out); err != nil {
		return err
	}
	m.noise(out)
	if err := m.latencies(out); err != nil {
		return err
	}
	m.operations(out)
	m.window(out)
	m.faults(out)
	m.sweeps(out)
	m.streams(out)
	return nil
}

// mostScattered is the spread up to which the time of a page is taken. Chosen: without it programs would seem to get their memory in no time, which is further off.
const mostScattered = 1

// faults takes over what a page takes that is touched first. It is the system's work, whose time scatters more than that of instructions.
func (m *measurement) faults(out *machine.Machine) {
	s, ok := m.answers[faultKey]
	if !ok || s.N == 0 || s.Spread > mostScattered {
		s, ok = m.trusted(faultKey, "what a page takes that is touched first")
	} else if s.Spread > tooWide {
		note(out, "what a page takes that is touched first is rough (spread %.0f %%), as other work used the core: times of programs that touch much memory are as rough", 100*s.Spread)
	}
	if ok && s.Value > 0 {
		out.Memory.PageFaultNs = value(round(s.Value), m.source("pages of an array touched first, and given back", s))
	}
}

// note adds a note to a machine.
func note(m *machine.Machine, format string, args ...any) {
	m.Notes = append(m.Notes, fmt.Sprintf(format, args...))
}

// answered are parts of notes on what this measures.
var answered = []string{machine.NoMemory, "operations and latencies are not known", "frequency_ghz is the clock when it was read"}

// remaining leaves out the notes of what was not known and is now.
func remaining(notes []string) (out []string) {
	for _, n := range notes {
		if !slices.ContainsFunc(answered, func(a string) bool { return strings.Contains(n, a) }) {
			out = append(out, n)
		}
	}
	return out
}

// value is a value with its source.
func value[T any](v T, source string) *machine.Value[T] {
	return &machine.Value[T]{Value: v, Source: source}
}

// round keeps four digits, so that files read well.
func round(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-3)
	if unit < 1 { // a power of ten itself is exact, its inverse not
		inverse := math.Round(1 / unit)
		return math.Round(v*inverse) / inverse
	}
	return math.Round(v/unit) * unit
}

// tellLeft says what was left out, and why.
func (m *measurement) tellLeft(out *machine.Machine) {
	if m.scattered > 0 {
		note(out, "left out, as other work disturbed them however often they were measured: %d points of sweeps", m.scattered)
	}
	if len(m.left) > 0 {
		note(out, "left out, as they cannot be or are not sure however often they were measured: %s", strings.Join(m.left, "; "))
	}
}

// drifted is the change of the clock during the measurement from which it is said, a share. Chosen.
const drifted = 0.03

// clock is the median of what was seen beside all bursts.
func (m *measurement) clock(out *machine.Machine) error {
	var all []float64
	thrown := 0
	for _, bursts := range m.bursts {
		for _, b := range bursts {
			if b.disturbed() {
				thrown++
			} else {
				all = append(all, 1/b.cycle())
			}
		}
	}
	if len(all) == 0 {
		return errors.New("the clock could not be measured: other work disturbed all that was tried; measure again when there is less")
	}
	low, middle, high := quantile.Of(all, 0.05), quantile.Median(all), quantile.Of(all, 0.95)
	switch longer := m.interrupted(); {
	case longer < 1:
		note(out, "additions that wait for one another take longer than a cycle here, as all other operations show: the clock is %.1f %% more than the %.4g GHz that they tell", 100*(1/longer-1), middle)
		low, middle, high = low/longer, middle/longer, high/longer
	case longer > 1:
		note(out, "the host interrupts what runs here, %.1f %% of the time, in pieces too short for any counter: the clock is what is left of %.4g GHz", 100*(1-1/longer), middle)
		low, middle, high = low/longer, middle/longer, high/longer
	}
	out.FrequencyGHz = value(round(middle), fmt.Sprintf("%s: clock under load, by integer additions that wait for one another, beside each of %d bursts; nine tenths between %.4g and %.4g", m.when(), len(all), low, high))
	if out.MaxFrequencyGHz.Or(math.Inf(1)) < out.FrequencyGHz.Value {
		out.MaxFrequencyGHz = nil
	}
	if high > (1+drifted)*low {
		note(out, "the clock changed while it was measured, between %.3g and %.3g GHz: cycles are by the clock beside each measurement", low, high)
	}
	if share := float64(thrown) / float64(thrown+len(all)); share > disturbedMost {
		note(out, "%.0f %% of the bursts were disturbed, as other work took the CPU, or the host did: they do not count", 100*share)
	}
	return nil
}

// disturbedMost is the share of bursts that were thrown away from which it is said. Chosen.
const disturbedMost = 0.1

// A machine is called noisy where the slowest tenth, or hundredth, of the same work takes so many times as long as the fastest. Chosen: an idle
// machine stays below both.
const (
	noisyTenth     = 1.05
	noisyHundredth = 1.5
)

// noise takes over how long the same work took again and again, as multiples of the fastest.
func (m *measurement) noise(out *machine.Machine) {
	v := m.first("noise")
	if len(v) < 4 {
		return
	}
	out.Measured.Noise = &machine.Noise{Median: round(v[0]), P90: round(v[1]), P99: round(v[2]), Longest: round(v[3])}
	if v[1] > noisyTenth || v[2] > noisyHundredth {
		note(out, "the machine was busy or is shared while it was measured: of the same work the slowest tenth took %.0f %% longer than the fastest, the slowest hundredth %.0f %%", 100*(v[1]-1), 100*(v[2]-1))
	}
}

// chase is the curve of one kind of pages, of the points that are sure.
func (m *measurement) chase(kind string, sizes []int64) machine.Curve {
	c := machine.Curve{Kind: kind, Stride: chaseStride}
	for _, b := range sizes {
		if s, ok := m.answers[chaseKey(kind, b)]; ok && s.Value > 0 && s.Spread <= tooWide {
			c.Points = append(c.Points, [3]float64{float64(b), round(s.Value), round(s.Spread)})
		}
	}
	return c
}

// inCycles are the points of a chase, in cycles, that take no longer than larger sizes do: others were disturbed, however steadily. The ns of a cycle
// are those of the larger half.
func (m *measurement) inCycles(kind string, sizes []int64) (points [][2]float64, cycleNs float64) {
	least := math.Inf(1)
	var ns []float64
	for _, b := range slices.Backward(sizes) {
		s, ok := m.answers[chaseKey(kind, b)]
		s = m.undisturbed(chaseKey(kind, b), s)
		if !ok || s.Cycles <= 0 || s.Cycles > slowerBy*least {
			continue
		}
		least = min(least, s.Cycles)
		points = append(points, [2]float64{float64(b), s.Cycles})
		ns = append(ns, s.Value/s.Cycles)
	}
	slices.Reverse(points)
	return points, quantile.Of(ns[:(len(ns)+1)/2], 0.5)
}

// misfit is the mean error of the fitted latencies, a share, from which it is said that a chase shows no clear plateaus. Chosen.
const misfit = 0.05

// latencies takes over the curves of the pointer chase and what is fitted to them: the latency of each level in cycles, of memory in ns.
func (m *measurement) latencies(out *machine.Machine) error {
	small, huge := m.chase("small", m.smallSizes()), m.chase("huge", m.chaseSizes(m.farthest))
	cycles, cycleNs := m.inCycles("huge", m.chaseSizes(m.farthest))
	pages := "huge pages"
	switch {
	case len(cycles) == 0:
		cycles, cycleNs = m.inCycles("small", m.smallSizes())
		fallthrough
	case !m.inHuge():
		pages = "pages of 4 KiB, page walks included"
	}
	if !m.inHuge() && len(huge.Points) > 0 { // as fine, but in small pages
		huge.Kind = "small"
		small.Points = nil
	}
	for _, c := range []machine.Curve{small, huge} {
		if len(c.Points) > 0 {
			out.Measured.Chases = append(out.Measured.Chases, c)
		}
	}
	h, err := m.hierarchy(out)
	if err != nil {
		return err
	}
	var l *chase.Latency
	err = m.interruptible(func() (err error) {
		l, err = chase.Fit(h, cycles, fitSeed)
		return err
	})
	if m.ctx.Err() != nil {
		return m.ctx.Err()
	}
	if err != nil {
		note(out, "latencies are not known: %v", err)
		return nil
	}
	if l.Error > misfit {
		note(out, "the pointer chase shows no clear plateaus (the fit is off by %.0f %% in the mean): others use the caches, or they are not as told", 100*l.Error)
	}
	how := fmt.Sprintf("%s: random pointer chase, %s, %d sizes, misfit %.1f %%", m.when(), pages, len(cycles), 100*l.Error)
	for i := range out.Levels {
		m.latency(&out.Levels[i], i, l, cycles, how)
	}
	last := len(out.Levels)
	if off := scatter(l, last, cycles); off > memoryUnsure {
		m.leave("the latency of memory (its points lie %.0f %% off in the median)", 100*off)
		return nil
	}
	out.Memory.LatencyNs = value(round(l.Ns[last]*cycleNs), how)
	return nil
}

// latency takes over that of a level: of L1 in whole cycles, of others where the points on its plateau lie close enough together.
func (m *measurement) latency(l *machine.Level, i int, fit *chase.Latency, points [][2]float64, how string) {
	cycles := fit.Ns[i]
	if i == 0 {
		n, ok := m.firstLatency(points)
		if !ok {
			m.leave("the latency of %s, of %.3g cycles, which is no whole number", l.Name, n)
			return
		}
		cycles = n
	} else if off := scatter(fit, i, points); off > cacheUnsure {
		m.leave("the latency of %s (its points lie %.0f %% off in the median)", l.Name, 100*off)
		return
	}
	l.LatencyCycles = value(round(cycles), how)
}

// insideFirst is the share of L1 up to which the chase's lines are surely in it: what else runs takes some. Chosen.
const insideFirst = 0.7

// firstLatency is that of L1, in cycles: the low quantile of all sizes well inside it. It is false where that is no whole number.
func (m *measurement) firstLatency(points [][2]float64) (float64, bool) {
	var inside []float64
	for _, p := range points {
		if p[0] <= insideFirst*float64(m.capacity(0, 0)) {
			inside = append(inside, p[1])
		}
	}
	least := quantile.Of(inside, lowQuantile)
	n, ok := whole(least)
	if !ok {
		return least, false
	}
	return n, true
}

// A latency is left out where the points of its plateau are off by so much in the median, a share of it. Chosen.
const (
	cacheUnsure  = 0.1
	memoryUnsure = 0.15
)

// onPlateau is how many times larger than the capacity before its own, and smaller than its own, an array is whose point lies on a plateau: the
// drops between lie closer. Chosen.
const onPlateau = 1.5

// scatter is how far points on a plateau lie off, in the median, as a share; of no points it is nothing.
func scatter(l *chase.Latency, level int, points [][2]float64) float64 {
	low, high := 0.0, math.Inf(1)
	if level > 0 {
		low = onPlateau * l.Capacities[level-1].Bytes
	}
	if level < len(l.Capacities) {
		high = l.Capacities[level].Bytes / onPlateau
	}
	var off []float64
	for _, p := range points {
		if p[0] >= low && p[0] <= high {
			off = append(off, math.Abs(p[1]/l.At(p[0])-1))
		}
	}
	return quantile.Median(off)
}

// operations takes over the latency and the throughput of each operation that was measured, and keeps what was told of others.
func (m *measurement) operations(out *machine.Machine) {
	told := out.Operations
	out.Operations = nil
	for _, o := range operations {
		m.operation(out, o)
	}
	for _, o := range told {
		keepTold(out, o)
	}
	if s, ok := m.trusted("load throughput", "loads a cycle"); ok {
		out.Core.LoadsPerCycle = value(round(1/s.Cycles), m.source("independent loads of 8 bytes from L1", s))
		out.Levels[0].ReciprocalThroughput = value(round(s.Cycles), "derived: 1 / core.loads_per_cycle")
	}
	m.stores(out)
}

// keepTold keeps what was told of an operation where nothing was found.
func keepTold(out *machine.Machine, told machine.Operation) {
	for i := range out.Operations {
		if o := &out.Operations[i]; o.Kind == told.Kind && o.Type == told.Type {
			o.LatencyCycles = cmp.Or(o.LatencyCycles, told.LatencyCycles)
			o.ReciprocalThroughput = cmp.Or(o.ReciprocalThroughput, told.ReciprocalThroughput)
			return
		}
	}
	out.Operations = append(out.Operations, told)
}

// operation takes over what was measured of an operation: of vectors beside the operations that predictions use.
func (m *measurement) operation(out *machine.Machine, o operation) {
	latency, ok := m.trusted(o.name+" latency", "the latency of "+o.name)
	throughput, ok2 := m.trusted(o.name+" throughput", "the throughput of "+o.name)
	if o.lanes > 1 {
		if ok && ok2 {
			out.Measured.Vector = append(out.Measured.Vector, machine.VectorOp{
				Kind: o.kind, Type: o.typ, Lanes: o.lanes, LatencyCycles: round(latency.Cycles), ReciprocalThroughput: round(throughput.Cycles),
			})
		}
		return
	}
	op := machine.Operation{Kind: o.kind, Type: o.typ}
	if ok {
		op.LatencyCycles = value(round(latency.Cycles), m.source("one chain", latency))
	}
	if ok2 {
		op.ReciprocalThroughput = value(round(throughput.Cycles), m.source("twelve chains side by side", throughput))
	}
	if ok || ok2 {
		out.Operations = append(out.Operations, op)
	}
}

// storesQuantile is the quantile of the bursts of stores that is taken, lower than that of others: the slow times of stores are long. Chosen.
const storesQuantile = 0.1

// stores finds how many go to L1 in a cycle. Where another guest shares the core's store buffer they are slower for a while: then a loop
// that reads and writes may have done more.
func (m *measurement) stores(out *machine.Machine) {
	s := m.undisturbed("store throughput", sampleAt(m.bursts["store throughput"], storesQuantile))
	if s.Cycles <= 0 {
		return
	}
	out.Core.StoresPerCycle = value(round(1/s.Cycles), m.source("independent stores of 8 bytes to L1", s))
	least := math.Inf(1)
	for _, b := range m.sweepSizes(machine.SweepUpdate, 1) {
		if swept, ok := m.answers[sweepKey(machine.SweepUpdate, 1, b)]; ok && swept.Cycles > 0 {
			least = min(least, m.undisturbed("sweep", swept).Cycles)
		}
	}
	if rate := 1 / least; rate > out.Core.StoresPerCycle.Value {
		out.Core.StoresPerCycle = value(round(rate), m.when()+": sweep that reads and writes, stride 1, at its fastest")
	}
}

// apart is how many times longer two loads take, at least, once they no longer go on side by side. Chosen: between once and twice.
const apart = 1.5

// window finds the width of the core and the length of its reorder buffer.
func (m *measurement) window(out *machine.Machine) {
	if s, ok := m.trusted("issue", "the issue width"); ok && s.Cycles > 0 {
		out.Core.IssueWidth = value(round(1/s.Cycles), m.source("instructions that do nothing", s))
	}
	first, ok := m.answers[windowKey(windows[0])]
	if !ok || first.Value <= 0 {
		return
	}
	fits, misses := 0, 0 // the longest that fits, and the first that does not
	for _, n := range windows {
		s, ok := m.answers[windowKey(n)]
		switch {
		case !ok:
		case s.Value <= apart*first.Value:
			fits = n
		case misses == 0:
			misses = n
		}
	}
	s := m.answers[windowKey(misses)]
	switch {
	case misses == 0:
		note(out, "the length of the reorder buffer was not found: two loads that miss %d instructions apart go on side by side", windows[len(windows)-1])
	case fits > misses:
		m.leave("the length of the reorder buffer (two loads that miss go on side by side with %d instructions between them, and do not with %d)", fits, misses)
	case s.Spread > tooWide || first.Spread > tooWide:
		m.leave("the length of the reorder buffer (%s)", s.doubt())
	default:
		out.Core.ReorderBuffer = value(misses, m.source(fmt.Sprintf("two loads that miss go on side by side with %d instructions between them, with %d no more", fits, misses), s))
	}
}
