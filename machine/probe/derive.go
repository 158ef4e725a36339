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

// remaining leaves out the notes of what was not known and is now.
func remaining(notes []string) (out []string) {
	for _, n := range notes {
		if !strings.Contains(n, "not known") && !strings.HasPrefix(n, "frequency_ghz is") {
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
	if s, ok := m.answers["store throughput"]; ok {
		out.Core.StoresPerCycle = value(round(1/(s.Value*ghz)), m.source("independent stores of 8 bytes to L1", s))
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

func (m *measurement) sweeps(out *machine.Machine) {
	width := 1.0
	if facts := m.several["facts"]; len(facts) > 1 {
		width = facts[1] / bandwidth.WordBytes
	}
	for _, kind := range []string{machine.SweepRead, machine.SweepUpdate, machine.SweepVector} {
		words := 1.0
		if kind == machine.SweepVector {
			words = width
		}
		for _, stride := range Strides {
			c := machine.Curve{Kind: kind, Stride: stride}
			for _, b := range m.sweepSizes(kind) {
				if s, ok := m.answers[sweepKey(kind, stride, b)]; ok && s.Value > 0 {
					c.Points = append(c.Points, [3]float64{float64(b), round(words * bandwidth.WordBytes / s.Value), round(s.Spread)})
				}
			}
			if len(c.Points) > 0 {
				out.Measured.Sweeps = append(out.Measured.Sweeps, c)
			}
		}
	}
}

// fitSeed starts the fits: the same measurements give the same machine.
const fitSeed = 1

// differs is from where the size that a sweep finds is told beside the one that the system tells.
const differs = 0.2

func (m *measurement) fits(out *machine.Machine) error {
	ghz := m.ghz("spin 3", "spin 4")
	h, err := out.Hierarchy(float64(m.page))
	if err != nil {
		return err
	}
	for _, kind := range []string{machine.SweepRead, machine.SweepUpdate} {
		points := out.Measured.SweepPoints(kind)
		f, err := bandwidth.FitExtended(h, points, fitSeed)
		if err != nil {
			note(out, "no bandwidth function of %s sweeps: %v", kind, err)
			continue
		}
		errs := bandwidth.ErrorsOf(f.Errors(h, points))
		errs.Mean, errs.Median, errs.P90, errs.Worst = round(errs.Mean), round(errs.Median), round(errs.P90), round(errs.Worst)
		out.Measured.Fits = append(out.Measured.Fits, machine.MeasuredFit{Kind: kind, Form: rounded(f), Errors: errs})
	}
	f := out.Fit(machine.SweepRead)
	if f == nil || !m.reached(out, f) {
		return nil
	}
	how := m.when() + ": MultiMAPS sweep, fitted; "
	for i, s := range f.Sources {
		sequential := value(round(s.SequentialNs*ghz), how+"lines in sequence")
		far := value(round(s.FarNs*ghz), how+"lines far apart")
		if i+1 < len(out.Levels) {
			l := &out.Levels[i+1]
			l.SequentialCyclesPerLine, l.FarCyclesPerLine = sequential, far
			l.ReciprocalThroughput = value(far.Value, "derived: far_cycles_per_line")
		} else {
			out.Memory.SequentialCyclesPerLine, out.Memory.FarCyclesPerLine = sequential, far
			out.Memory.ReciprocalThroughput = value(sequential.Value, "derived: sequential_cycles_per_line")
		}
	}
	for i, e := range f.Edges {
		l := &out.Levels[i]
		if size := float64(l.Size.Or(0)); math.Abs(e.Bytes/size-1) > differs {
			l.EffectiveSize = value(wholeSize(e.Bytes, l.Ways.Or(1)*int(h.Line)), how+"where half the lines of an array miss")
		}
	}
	return nil
}

// reached says whether the largest arrays lay well past the last cache; else nothing that looks like memory is memory, and it is left
// out.
func (m *measurement) reached(out *machine.Machine, f *bandwidth.Extended) bool {
	last := len(out.Levels) - 1
	well := f.Edges[last].Bytes <= float64(m.options.Most)/2
	for i := 1; i <= last; i++ {
		inner := float64(out.Levels[i-1].Size.Or(0))
		well = well && f.Edges[i].Bytes > f.Edges[i-1].Bytes && f.Edges[i].Bytes > inner && inner <= float64(m.options.Most)/4
	}
	if well {
		return true
	}
	note(out, "arrays of at most %s do not reach past %s: nothing is known of memory; take a larger --max-size", machine.FormatSize(m.options.Most), out.Levels[last].Name)
	out.Memory = machine.Memory{}
	out.Measured.Fits = nil
	return false
}

func rounded(f *bandwidth.Extended) bandwidth.Extended {
	out := *f
	for _, v := range []*float64{&out.CoreNs, &out.PassNs, &out.Norm, &out.Steepness, &out.WalkNs, &out.TLBBytes} {
		*v = round(*v)
	}
	for i := range out.Sources {
		s := &out.Sources[i]
		s.SequentialNs, s.FarNs, s.Reach, s.WindowNs = round(s.SequentialNs), round(s.FarNs), round(s.Reach), round(s.WindowNs)
	}
	for i := range out.Edges {
		out.Edges[i].Bytes, out.Edges[i].Width = round(out.Edges[i].Bytes), round(out.Edges[i].Width)
	}
	return out
}

func (m *measurement) teams(out *machine.Machine) {
	name := func(level int) string {
		if level < len(m.base.Levels) {
			return m.base.Levels[level].Name
		}
		return "memory"
	}
	most := 0.0
	for level := 1; level <= len(m.base.Levels); level++ {
		for _, stride := range []int{1, 8} {
			alone := 0.0
			for _, n := range teamSizes(len(m.options.CPUs)) {
				rates := m.several[teamKey(level, stride, n)]
				if len(rates) == 0 {
					continue
				}
				t := machine.Team{Level: name(level), Stride: stride, Threads: n, Slowest: round(slices.Min(rates) * bandwidth.WordBytes)}
				for _, r := range rates {
					t.GBs += r * bandwidth.WordBytes
				}
				if n == 1 {
					alone = t.GBs
				}
				t.GBs, t.Alone = round(t.GBs), round(alone)
				out.Measured.Teams = append(out.Measured.Teams, t)
				if level == len(m.base.Levels) { // of stride 8 an element stands for a line
					most = max(most, t.GBs*min(float64(stride), float64(out.LineBytes.Or(64))/bandwidth.WordBytes))
				}
			}
		}
	}
	if out.Fit(machine.SweepRead) == nil { // memory was not reached
		return
	}
	var core float64
	points := out.Measured.SweepPoints(machine.SweepRead)
	for _, p := range points {
		if p.Stride == 1 && p.Bytes >= float64(m.options.Most)/2 {
			core = max(core, p.GBs)
		}
	}
	if core > 0 {
		out.Memory.CoreBandwidthGBs = value(round(core), m.when()+": MultiMAPS sweep, stride 1, the largest arrays")
	}
	if len(m.options.CPUs) < m.base.TotalCores() {
		note(out, "measured on %d of %d cores: what all of them get from memory is not known", len(m.options.CPUs), m.base.TotalCores())
		return
	}
	if most = max(most/float64(m.base.Sockets.Or(1)), core); most > 0 {
		out.Memory.BandwidthGBs = value(round(most), fmt.Sprintf("%s: up to %d cores at once, whole lines, of one socket", m.when(), len(m.options.CPUs)))
	}
}

// regions fits a constant and a part for each thread to the cost of parallel regions.
func (m *measurement) regions(out *machine.Machine) {
	var threads, ns []float64
	spread := Sample{}
	for _, n := range teamSizes(len(m.options.CPUs)) {
		if s, ok := m.answers[fmt.Sprintf("fork %d", n)]; ok {
			threads, ns = append(threads, float64(n)), append(ns, s.Value)
			if s.Spread >= spread.Spread {
				spread = s
			}
		}
	}
	if len(ns) == 0 {
		return
	}
	base, each := line(threads, ns)
	how := m.source("empty OpenMP parallel regions of 1 to "+fmt.Sprint(len(m.options.CPUs))+" threads", spread)
	out.Parallel.ForkJoinNs = value(round(base), how)
	out.Parallel.ForkJoinPerThreadNs = value(round(each), how)
}

// line is the least-squares line through points, of neither a negative constant nor a negative slope.
func line(x, y []float64) (constant, slope float64) {
	var sx, sy, sxx, sxy float64
	n := float64(len(x))
	for i := range x {
		sx, sy, sxx, sxy = sx+x[i], sy+y[i], sxx+x[i]*x[i], sxy+x[i]*y[i]
	}
	d := n*sxx - sx*sx
	if d > 0 {
		slope = (n*sxy - sx*sy) / d
	}
	constant = (sy - slope*sx) / n
	switch {
	case slope < 0:
		return sy / n, 0
	case constant < 0:
		return 0, sxy / sxx
	}
	return constant, slope
}

// wholeSize rounds to a whole number of sets of so many bytes.
func wholeSize(bytes float64, set int) machine.Size {
	unit := float64(set)
	if bytes > 1024*unit {
		unit *= 1024
	}
	return machine.Size(max(1, math.Round(bytes/unit)) * unit)
}
