package probe

import (
	"fmt"
	"math"
	"slices"

	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/machine/bandwidth/fit"
)

func (m *measurement) sweeps(out *machine.Machine) {
	width := 1.0
	if facts := m.first("facts"); len(facts) > 1 {
		width = facts[1] / bandwidth.WordBytes
	}
	for _, kind := range []string{machine.SweepRead, machine.SweepUpdate, machine.SweepVector, machine.SweepColumns, machine.SweepUpdateColumns, machine.SweepPages} {
		words := 1.0
		if kind == machine.SweepVector {
			words = width
		}
		for _, stride := range stridesOf(kind) {
			m.curve(out, machine.Curve{Kind: kind, Stride: stride}, words, m.sweepSizes(kind, stride), func(b int64) string { return sweepKey(kind, stride, b) })
		}
	}
	for _, kind := range []string{machine.SweepWorked, machine.SweepUpdateWorked} {
		for _, w := range worked[kind] {
			m.curve(out, machine.Curve{Kind: kind, Stride: w.stride, Work: w.amount, Streams: w.streams}, 1, m.workedSizes(w), func(b int64) string { return workedKey(kind, w, b) })
		}
	}
	for _, kind := range []string{machine.SweepRuns, machine.SweepUpdateRuns} {
		for _, lines := range runLines {
			m.curve(out, machine.Curve{Kind: kind, Stride: runStride, Lines: lines}, 1, m.runSizes(), func(b int64) string { return runsKey(kind, lines, b) })
		}
	}
}

// curve adds a curve with the points that were measured, each access being of so many words.
func (m *measurement) curve(out *machine.Machine, c machine.Curve, words float64, sizes []int64, key func(bytes int64) string) {
	for _, b := range sizes {
		s, ok := m.answers[key(b)]
		if ok && s.Spread > tooWide {
			m.scattered++
			continue
		}
		if ok && s.Value > 0 {
			c.Points = append(c.Points, [3]float64{float64(b), round(words * bandwidth.WordBytes / s.Value), round(s.Spread)})
		}
	}
	if len(c.Points) > 0 {
		out.Measured.Sweeps = append(out.Measured.Sweeps, c)
	}
}

// fitSeed starts the fits: the same measurements give the same machine.
const fitSeed = 1

// differs is from where the size that a sweep finds is told beside the one that the system tells.
const differs = 0.2

// hierarchy is the caches as they were found.
func (m *measurement) hierarchy(out *machine.Machine) (*bandwidth.Hierarchy, error) {
	h, err := out.Hierarchy(float64(m.page))
	if err != nil {
		return nil, err
	}
	for i := range h.Levels {
		size, _ := out.Levels[i].Capacity()
		h.Levels[i].Bytes = float64(size)
	}
	return h, nil
}

// interruptible is for what takes seconds and does not look whether it was told to stop: then it goes on for nothing.
func (m *measurement) interruptible(f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-m.ctx.Done():
		return m.ctx.Err()
	}
}

func (m *measurement) fits(out *machine.Machine) error {
	ghz := out.FrequencyGHz.Or(0)
	h, err := m.hierarchy(out)
	if err != nil {
		return err
	}
	for _, kind := range []string{machine.SweepRead, machine.SweepUpdate} {
		points := out.Measured.FitPoints(kind)
		var f *bandwidth.Extended
		err := m.interruptible(func() (err error) {
			f, err = fit.Extended(h, points, fitSeed)
			return err
		})
		if m.ctx.Err() != nil {
			return m.ctx.Err()
		}
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
		work := f.CoreNs * float64(m.base.LineBytes.Or(chaseStride)) / bandwidth.WordBytes // of a line, by the sweep
		sequential := value(round((s.SequentialNs+f.Exposed(i, work, 1))*ghz), how+"lines in sequence")
		far := value(max(round(s.UnprefetchedNs*ghz), sequential.Value), how+"lines far apart")
		if i+1 < len(out.Levels) {
			l := &out.Levels[i+1]
			l.SequentialCyclesPerLine, l.FarCyclesPerLine = sequential, far
			l.ReciprocalThroughput = value(far.Value, "derived: far_cycles_per_line")
		} else {
			out.Memory.SequentialCyclesPerLine, out.Memory.FarCyclesPerLine = sequential, far
			out.Memory.ReciprocalThroughput = value(sequential.Value, "derived: sequential_cycles_per_line")
		}
	}
	for i, e := range f.Capacities {
		l := &out.Levels[i]
		if l.EffectiveSize != nil { // the chase told
			continue
		}
		last := i == len(out.Levels)-1
		if size := float64(l.Size.Or(0)); e.Bytes < size*(1-differs) || last && e.Bytes > size*(1+differs) { // replacement policies make inner caches look larger
			l.EffectiveSize = value(wholeSize(e.Bytes, l.Ways.Or(1)*int(h.Line)), how+"where half the lines of an array miss")
		}
	}
	return nil
}

// pastLast is how many times the last cache the largest array should be.
const pastLast = 4

// reached says whether the largest arrays lay well past the last cache; else nothing that looks like memory is memory, and it is left
// out.
func (m *measurement) reached(out *machine.Machine, f *bandwidth.Extended) bool {
	last := len(out.Levels) - 1
	well := f.Capacities[last].Bytes <= float64(m.most)/2
	for i := 1; i <= last; i++ {
		inner := float64(m.capacity(i-1, 0))
		well = well && f.Capacities[i].Bytes > f.Capacities[i-1].Bytes && f.Capacities[i].Bytes > inner && inner <= float64(m.most)/4
	}
	if well {
		return true
	}
	note(out, "arrays of at most %s do not reach past %s: nothing is known of memory, and no times can be predicted; measure with arrays of up to %s or more",
		machine.FormatSize(m.most), out.Levels[last].Name, machine.FormatSize(pastLast*m.capacity(last, 1)))
	out.Memory = machine.Memory{}
	out.Measured.Fits = nil
	return false
}

// rounded gives a form with four digits of each number.
func rounded(f *bandwidth.Extended) bandwidth.Extended {
	for _, p := range fit.Instances(len(f.Sources)) {
		v := p.Field(f, p.Level)
		*v = round(*v)
	}
	return *f
}

// private is the least share of what one core gets alone that each of several gets from caches of their own, if nothing else runs.
const private = 0.8

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
				rates := fastestTeam(m.several[teamKey(level, stride, n)])
				if len(rates) == 0 {
					continue
				}
				t := machine.Team{Level: name(level), Stride: stride, Threads: n, Slowest: round(slices.Min(rates) * bandwidth.WordBytes), GBs: sum(rates) * bandwidth.WordBytes}
				if n == 1 {
					alone = t.GBs
				}
				t.GBs, t.Alone = round(t.GBs), round(alone)
				if level < len(m.base.Levels) && m.base.Levels[level].SharedBy.Or(0) == 1 && t.GBs < private*float64(n)*alone {
					note(out, "%d cores at once get %.3g GB/s from %s by stride %d, which each has to itself, and one alone %.3g: other work ran meanwhile; measure again when there is none", n, t.GBs, t.Level, stride, alone)
				}
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
		if p.Stride == 1 && p.Bytes >= float64(m.most)/2 {
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

// fastestTeam is the round in which all together did most.
func fastestTeam(rounds [][]float64) (best []float64) {
	for _, r := range rounds {
		if best == nil || sum(r) > sum(best) {
			best = r
		}
	}
	return best
}

func sum(values []float64) (s float64) {
	for _, v := range values {
		s += v
	}
	return s
}

// regions fits a constant and a part for each thread to the cost of parallel regions.
func (m *measurement) regions(out *machine.Machine) {
	var threads, ns []float64
	spread := Sample{}
	for _, n := range teamSizes(len(m.options.CPUs)) {
		if s, ok := m.answers[forkKey(n)]; ok {
			threads, ns = append(threads, float64(n)), append(ns, s.Value)
			r := machine.RegionCost{Threads: n, ForkJoinNs: round(s.Value)}
			if b, ok := m.answers[barrierKey(n)]; ok {
				r.BarrierNs = round(b.Value)
			}
			out.Measured.Regions = append(out.Measured.Regions, r)
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
