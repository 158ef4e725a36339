package probe

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/machine"
	"foresee/machine/bandwidth"
)

// largestSmallPage is the largest page that sweeps come to many of.
const largestSmallPage = 64 << 10

// source says how a value was measured.
func (m *measurement) source(how string, s Sample) string {
	return fmt.Sprintf("%s: %s; %s", m.when(), how, s.said())
}

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
	out.Notes = remaining(m.base.Notes)
	out.Levels = slices.Clone(m.base.Levels)
	out.Measured = &machine.Measured{Source: m.when()}
	m.page = 4096
	if facts := m.several["facts"]; len(facts) > 3 {
		m.page = int64(facts[3])
	}
	out.Measured.Page = machine.Size(m.page)
	if m.page > largestSmallPage {
		note(&out, "arrays lie in pages of %s: how many of them the TLB reaches, and what walks cost, was not measured", machine.FormatSize(m.page))
	}
	if err := m.clock(&out); err != nil {
		return nil, err
	}
	m.noise(&out)
	if err := m.latencies(&out); err != nil {
		return nil, err
	}
	m.operations(&out)
	m.window(&out)
	m.sweeps(&out)
	if err := m.fits(&out); err != nil {
		return nil, err
	}
	m.teams(&out)
	m.regions(&out)
	if len(m.refused) > 0 {
		note(&out, "not measured: %s", strings.Join(m.refused, "; "))
	}
	if err := out.Validate(); err != nil {
		return nil, fmt.Errorf("what was measured cannot be: %w", err)
	}
	return &out, nil
}

func note(m *machine.Machine, format string, args ...any) {
	m.Notes = append(m.Notes, fmt.Sprintf(format, args...))
}

// answered are parts of notes on what this measures.
var answered = []string{"memory latency and bandwidth are not known", "operations and latencies are not known", "frequency_ghz is the clock when it was read"}

// remaining leaves out the notes of what was not known and is now.
func remaining(notes []string) (out []string) {
	for _, n := range notes {
		if !slices.ContainsFunc(answered, func(a string) bool { return strings.Contains(n, a) }) {
			out = append(out, n)
		}
	}
	return out
}

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

// drifted is the change of the clock during the measurement from which it is said.
const drifted = 0.03

// ghz is the clock around some of its measurements.
func (m *measurement) ghz(keys ...string) float64 {
	var all []float64
	for _, k := range keys {
		if s, ok := m.answers[k]; ok && s.Value > 0 {
			all = append(all, 1/s.Value)
		}
	}
	return sampleOf(all).Value
}

func (m *measurement) clock(out *machine.Machine) error {
	var all []float64
	for _, k := range spins {
		if ghz := m.ghz(k); ghz > 0 {
			all = append(all, ghz)
		}
	}
	if len(all) == 0 {
		return errors.New("the clock could not be measured")
	}
	s := sampleOf(all)
	out.FrequencyGHz = value(round(s.Value), fmt.Sprintf("%s: clock under load, by integer additions that wait for one another, at %d times; between %.4g and %.4g", m.when(), s.N, slices.Min(all), slices.Max(all)))
	if out.MaxFrequencyGHz.Or(math.Inf(1)) < out.FrequencyGHz.Value {
		out.MaxFrequencyGHz = nil
	}
	if slices.Max(all) > (1+drifted)*slices.Min(all) {
		note(out, "the clock changed while it was measured, between %.3g and %.3g GHz", slices.Min(all), slices.Max(all))
	}
	return nil
}

// A machine is called noisy where a tenth, or a hundredth, of the time is so much longer than the rest.
const (
	noisyTenth     = 1.05
	noisyHundredth = 1.5
)

func (m *measurement) noise(out *machine.Machine) {
	v := m.several["noise"]
	if len(v) < 4 {
		return
	}
	out.Measured.Noise = &machine.Noise{Median: round(v[0]), P90: round(v[1]), P99: round(v[2]), Longest: round(v[3])}
	if v[1] > noisyTenth || v[2] > noisyHundredth {
		note(out, "the machine was busy or is shared while it was measured: of the same work the slowest tenth took %.0f %% longer than the fastest, the slowest hundredth %.0f %%", 100*(v[1]-1), 100*(v[2]-1))
	}
}

// chase is the curve of one kind of pages.
func (m *measurement) chase(kind string) machine.Curve {
	c := machine.Curve{Kind: kind, Stride: chaseStride}
	for _, b := range m.chaseSizes() {
		if s, ok := m.answers[fmt.Sprintf("chase %s %d", kind, b)]; ok {
			c.Points = append(c.Points, [3]float64{float64(b), round(s.Value), round(s.Spread)})
		}
	}
	return c
}

// misfit is the error of the latencies from which it is said that a chase shows no clear plateaus.
const misfit = 0.05

func (m *measurement) latencies(out *machine.Machine) error {
	small, huge := m.chase("small"), m.chase("huge")
	if len(small.Points) > 0 {
		out.Measured.Chases = []machine.Curve{small}
	}
	best, pages := small, "pages of 4 KiB, page walks included"
	if got := m.several["hold huge"]; len(got) > 0 && got[0] >= float64(m.options.Most)/2 && len(huge.Points) > 0 {
		best, pages = huge, "huge pages"
		out.Measured.Chases = append(out.Measured.Chases, huge)
	}
	h, err := out.Hierarchy(float64(m.page))
	if err != nil {
		return err
	}
	var points [][2]float64
	var spreads []float64
	for _, p := range best.Points {
		points = append(points, [2]float64{p[0], p[1]})
		spreads = append(spreads, p[2])
	}
	l, err := bandwidth.FitLatency(h, points, fitSeed)
	if err != nil {
		note(out, "latencies are not known: %v", err)
		return nil
	}
	if l.Error > misfit {
		note(out, "the pointer chase shows no clear plateaus (the fit is off by %.0f %% in the mean): others use the caches, or they are not as told", 100*l.Error)
	}
	how := fmt.Sprintf("%s: random pointer chase, %s, %d sizes, median spread of one %.1f %%, misfit %.1f %%", m.when(), pages, len(points), 100*sampleOf(spreads).Value, 100*l.Error)
	ghz := m.ghz("spin 1", "spin 2")
	for i := range out.Levels {
		out.Levels[i].LatencyCycles = value(round(l.Ns[i]*ghz), fmt.Sprintf("%s; %.4g ns", how, l.Ns[i]))
	}
	out.Memory.LatencyNs = value(round(l.Ns[len(out.Levels)]), how)
	return nil
}

func (m *measurement) operations(out *machine.Machine) {
	ghz := m.ghz("add_int latency") // at the same time: the clock may change
	out.Operations = nil
	for _, o := range operations {
		latency, ok := m.answers[o.name+" latency"]
		throughput, ok2 := m.answers[o.name+" throughput"]
		if !ok || !ok2 {
			continue
		}
		if o.lanes > 1 {
			out.Measured.Vector = append(out.Measured.Vector, machine.VectorOp{
				Kind: o.kind, Type: o.typ, Lanes: o.lanes, LatencyCycles: round(latency.Value * ghz), ReciprocalThroughput: round(throughput.Value * ghz),
			})
			continue
		}
		out.Operations = append(out.Operations, machine.Operation{
			Kind: o.kind, Type: o.typ,
			LatencyCycles:        value(round(latency.Value*ghz), m.source("one chain", latency)),
			ReciprocalThroughput: value(round(throughput.Value*ghz), m.source("twelve chains side by side", throughput)),
		})
	}
	if s, ok := m.answers["load throughput"]; ok {
		out.Core.LoadsPerCycle = value(round(1/(s.Value*ghz)), m.source("independent loads of 8 bytes from L1", s))
		out.Levels[0].ReciprocalThroughput = value(round(s.Value*ghz), "derived: 1 / core.loads_per_cycle")
	}
	m.stores(out, ghz)
}

// stores finds how many go to L1 in a cycle. Where another guest shares the core's store buffer they are slower for a while: then a loop
// that reads and writes may have done more.
func (m *measurement) stores(out *machine.Machine, ghz float64) {
	s, ok := m.answers["store throughput"]
	if !ok {
		return
	}
	out.Core.StoresPerCycle = value(round(1/(s.Value*ghz)), m.source("independent stores of 8 bytes to L1", s))
	least := math.Inf(1)
	for _, b := range m.sweepSizes(machine.SweepUpdate, 1) {
		if swept, ok := m.answers[sweepKey(machine.SweepUpdate, 1, b)]; ok && swept.Value > 0 {
			least = min(least, swept.Value)
		}
	}
	if rate := 1 / (least * m.ghz("spin 3", "spin 4")); rate > out.Core.StoresPerCycle.Value {
		out.Core.StoresPerCycle = value(round(rate), m.when()+": sweep that reads and writes, stride 1, at its fastest")
	}
}

// apart is how much longer two loads take once they no longer go on side by side, at least.
const apart = 1.5

// window finds the width of the core and the length of its reorder buffer.
func (m *measurement) window(out *machine.Machine) {
	if s, ok := m.answers["issue"]; ok {
		if per := 1 / (s.Value * m.ghz("add_int latency")); per > 0 && !math.IsInf(per, 0) {
			out.Core.IssueWidth = value(round(per), m.source("instructions that do nothing", s))
		}
	}
	first, ok := m.answers[windowKey(windows[0])]
	if !ok || first.Value <= 0 {
		return
	}
	for i, n := range windows {
		if s, ok := m.answers[windowKey(n)]; ok && s.Value > apart*first.Value {
			fits := 1
			if i > 0 {
				fits = windows[i-1]
			}
			out.Core.ReorderBuffer = value(n, m.source(fmt.Sprintf("two loads that miss go on side by side with %d instructions between them, with %d no more", fits, n), s))
			return
		}
	}
	note(out, "the length of the reorder buffer was not found: two loads that miss %d instructions apart go on side by side", windows[len(windows)-1])
}
