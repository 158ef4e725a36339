package predict

import (
	"context"
	"math"
	"slices"
	"testing"

	"foresee/internal/longtest"
	"foresee/internal/oracle/kernels"
	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/model/timing"
)

// Predictions that a better machine makes slower are absurd: these tests look for them on all machines of the library.

// absurdKernels are of different kinds: products of matrices, streams, rows beside columns, stencils, gathered and transposed data, triangles, records, and
// loops that wait for themselves.
var absurdKernels = []string{"gemm", "stream-triad", "mvt", "jacobi-2d", "spmv-banded", "transpose", "cholesky", "particles-aos", "seidel-2d", "nussinov"}

// rounding is by how much of itself a time may rise because sums are taken in another order. Chosen: a hundred times what float64 rounds off in sums of as
// many terms as there are reuses in a sample, 10⁵ of 10⁻¹⁶.
const rounding = 1e-9

// What larger caches may do all the same. All are chosen, some times what was seen on all machines (in brackets).
const (
	// lruAnomaly bounds times with twice the ways and half the sets (1.8 %; with conflicts counted 5.3 %, down columns): of data that are passed over in turn
	// and do not fit, LRU keeps the less the fewer sets there are, since lines that come to a set in turn drive out one another. That is so in caches.
	lruAnomaly = 0.1
	// arrivalAnomaly bounds times by a measured bandwidth function (0.004 %): lines that a larger cache holds no longer come from the next level side by side
	// with others, whose waiting then counts by itself.
	arrivalAnomaly = 0.001
	// countedAnomaly bounds times of counted hits (1 %), which are of a sample; and so many of its standard errors hit rates may fall (0.5).
	countedAnomaly, countedErrors = 0.03, 3
	// visible is by how much a hit rate must rise to be a cause of a speed-up above the number of threads: what reports show, a hundredth of a point.
	visible = 0.0001
)

// better is a way in which a machine can be better.
type better struct {
	name    string
	apply   func(m *machine.Machine)
	anomaly float64 // by how much of itself the time may rise all the same
}

// improved is a copy of a machine that is better; the machine stays as it is.
func (b better) improved(m *machine.Machine) *machine.Machine {
	out := *m
	out.Levels, out.Operations = slices.Clone(m.Levels), slices.Clone(m.Operations)
	if m.Measured != nil {
		measured := *m.Measured
		measured.Fits = slices.Clone(measured.Fits)
		for i := range measured.Fits {
			form := &measured.Fits[i].Form
			form.Sources = slices.Clone(form.Sources)
		}
		out.Measured = &measured
	}
	b.apply(&out)
	return &out
}

// scale multiplies a value where there is one.
func scale[T int | float64 | machine.Size](v **machine.Value[T], factor float64) {
	if *v != nil {
		*v = &machine.Value[T]{Value: T(float64((*v).Value) * factor), Source: (*v).Source}
	}
}

// scaleSource makes lines from a measured source faster.
func scaleSource(m *machine.Machine, level int, factor float64) {
	if m.Measured == nil {
		return
	}
	for i := range m.Measured.Fits {
		s := &m.Measured.Fits[i].Form.Sources[level]
		for _, ns := range []*float64{&s.SequentialNs, &s.UnprefetchedNs, &s.ConflictNs, &s.ExposedNs, &s.ExposedShare, &s.UnprefetchedExposedNs, &s.UnprefetchedExposedShare, &s.StartNs, &s.StartLineNs} {
			*ns *= factor
		}
	}
}

// faster are better machines with the same caches as before.
func faster(m *machine.Machine) []better {
	all := []better{
		{"half the latency of memory", func(m *machine.Machine) { scale(&m.Memory.LatencyNs, 0.5); scale(&m.Memory.FarCyclesPerLine, 0.5) }, rounding},
		{"twice the bandwidth of memory", func(m *machine.Machine) {
			scale(&m.Memory.BandwidthGBs, 2)
			scale(&m.Memory.CoreBandwidthGBs, 2)
			scale(&m.Memory.SequentialCyclesPerLine, 0.5)
		}, rounding},
		{"eight times the bandwidth of memory", func(m *machine.Machine) {
			scale(&m.Memory.BandwidthGBs, 8)
			scale(&m.Memory.CoreBandwidthGBs, 8)
			scale(&m.Memory.SequentialCyclesPerLine, 1./8)
		}, rounding},
		{"measured memory in half the time", func(m *machine.Machine) { scaleSource(m, len(m.Levels)-1, 0.5) }, rounding},
		{"a higher clock", func(m *machine.Machine) { scale(&m.FrequencyGHz, 1.25) }, rounding},
		{"a wider front end", func(m *machine.Machine) { scale(&m.Core.IssueWidth, 2) }, rounding},
		{"more loads and stores", func(m *machine.Machine) { scale(&m.Core.LoadsPerCycle, 2); scale(&m.Core.StoresPerCycle, 2) }, rounding},
		{"a larger window", func(m *machine.Machine) { scale(&m.Core.ReorderBuffer, 2) }, rounding},
		{"operations of half the latency", func(m *machine.Machine) {
			for i := range m.Operations {
				scale(&m.Operations[i].LatencyCycles, 0.5)
			}
		}, rounding},
		{"twice the units", func(m *machine.Machine) {
			for i := range m.Operations {
				scale(&m.Operations[i].ReciprocalThroughput, 0.5)
			}
		}, rounding},
	}
	for i := range m.Levels {
		name := m.Levels[i].Name
		all = append(all, better{name + " of less latency", func(m *machine.Machine) {
			scale(&m.Levels[i].LatencyCycles, 0.8)
			scale(&m.Levels[i].FarCyclesPerLine, 0.8)
		}, rounding},
			better{name + " of twice the bandwidth", func(m *machine.Machine) { scale(&m.Levels[i].SequentialCyclesPerLine, 0.5) }, rounding})
		if i > 0 {
			all = append(all, better{name + " as measured, in half the time", func(m *machine.Machine) { scaleSource(m, i-1, 0.5) }, rounding})
		}
	}
	return all
}

// larger are machines with more cache in one level, and by how much they may be slower.
func larger(m *machine.Machine) (all []better) {
	for i := range m.Levels {
		twice := func(m *machine.Machine) { scale(&m.Levels[i].Size, 2); scale(&m.Levels[i].EffectiveSize, 2) }
		ways := func(m *machine.Machine) { scale(&m.Levels[i].Ways, 2) }
		all = append(all, better{"twice the sets of " + m.Levels[i].Name, twice, rounding})
		if m.Levels[i].Ways != nil {
			all = append(all, better{"twice the ways of " + m.Levels[i].Name, func(m *machine.Machine) { twice(m); ways(m) }, rounding})
			all = append(all, better{"twice the ways, half the sets of " + m.Levels[i].Name, ways, lruAnomaly})
		}
	}
	return all
}

// forecast is a prediction with what it is made of.
type forecast struct {
	*timing.Estimate
	in   timing.Input
	hits []HitRate
}

// forecast predicts the kernel; nil where the machine lacks what a time needs.
func (a *absurdity) forecast(m *machine.Machine, threads int) *forecast {
	a.Helper()
	q := &query{analysis: a.analysis, on: m, blocks: a.blocks}
	d, err := q.of(threads)
	if err != nil {
		a.Fatal(err)
	}
	in, err := d.input(modelOn(ModelAuto, m))
	if err != nil {
		a.Fatal(err)
	}
	e := estimateOf(in, m)
	if e == nil {
		return nil
	}
	return &forecast{e, in, d.hits}
}

// estimateOf is the time on a machine by the model that is taken there; nil where values are missing.
func estimateOf(in timing.Input, m *machine.Machine) *timing.Estimate {
	model := timing.Overlap
	if m.Fit(machine.SweepRead) != nil {
		model = timing.Bandwidth
	}
	e, err := model(in, m)
	if err != nil {
		return nil
	}
	return e
}

// libraryMachines are all machines, in order.
func libraryMachines(t *testing.T) (all []*machine.Machine) {
	t.Helper()
	for _, name := range machine.Library() {
		all = append(all, shipped(t, name))
	}
	return all
}

// untimed are the machines of the library of which too little is known for a time; a warning says what is missing.
var untimed = map[string]bool{"graviton3": true, "opteron-2.8": true}

// absurdity looks at one kernel.
type absurdity struct {
	*testing.T
	turn     int // number of the kernel
	name     string
	analysis *Analysis
	blocks   []*timing.Block
}

// TestNothingAbsurd: on no machine of the library is code slower where memory, caches or the core are faster, the clock is higher or caches are larger, or
// faster with several threads than as many times as fast as one, unless the caches of several hold more. Hits are computed of reuse distances, so that
// chance is the same for all.
func TestNothingAbsurd(t *testing.T) {
	sizes := []string{"SMALL", "MEDIUM"}
	if !longtest.Asked() {
		sizes = sizes[:1]
	}
	for _, size := range sizes {
		teams := []int{2, 4, 16}
		if size != sizes[0] {
			teams = []int{4}
		}
		eachKernel(t, size, absurdKernels, HitModelSDCM, func(a *absurdity) {
			for i, m := range libraryMachines(a.T) {
				if (i+a.turn)%3 != 0 { // each machine meets a third of the kernels, each kernel a third of the machines
					continue
				}
				alone := a.forecast(m, 1)
				if (alone == nil) != untimed[m.Name] {
					a.Fatalf("%s on %s: a time of %v", a.name, m.Name, alone)
				}
				if alone == nil {
					continue
				}
				a.faster(m, 1, alone)
				a.larger(m, 1, alone, nil)
				for _, threads := range teams {
					if threads > m.TotalCores() {
						continue
					}
					f := a.forecast(m, threads)
					a.caused(m, threads, alone, f)
					if threads == 4 && size == sizes[0] {
						a.faster(m, threads, f)
						a.larger(m, threads, f, nil)
					}
				}
			}
		})
	}
}

// TestNothingAbsurdWhereHitsAreCounted: the same where conflicts are counted in a sample, as predictions do: a larger cache may then seem to hold less, within the
// errors of the sample.
func TestNothingAbsurdWhereHitsAreCounted(t *testing.T) {
	if testing.Short() {
		t.Skip("counts for ten seconds")
	}
	oneIn := 1 // of how many machines each kernel meets one
	if !longtest.Asked() {
		oneIn = 4
	}
	eachKernel(t, "SMALL", []string{"stream-triad", "mvt"}, HitModelPlaced, func(a *absurdity) {
		for i, m := range libraryMachines(a.T) {
			if (i+2*a.turn)%oneIn != 0 { // every other machine meets one of the kernels
				continue
			}
			if alone := a.forecast(m, 1); alone != nil {
				a.larger(m, 1, alone, func(before, after *forecast) bool {
					return after.Time <= before.Time*(1+countedAnomaly) && fallen(before.hits, after.hits) < countedErrors
				})
				if m.TotalCores() >= 4 {
					a.caused(m, 4, alone, a.forecast(m, 4))
				}
			}
		}
	})
}

// eachKernel calls f with the analysis of each kernel, of several at a time.
func eachKernel(t *testing.T, size string, names []string, hitModel string, f func(a *absurdity)) {
	t.Helper()
	ks, err := kernels.Load(t.TempDir(), size, names...)
	if err != nil {
		t.Fatal(err)
	}
	for turn, k := range ks {
		name := k.Name + " " + size
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			blocks, err := timing.Blocks(k.Program)
			if err != nil {
				t.Fatal(err)
			}
			f(&absurdity{t, turn, name, NewAnalysis(context.Background(), k.Program, Options{Seed: 1, HitModel: hitModel}), blocks})
		})
	}
}

// faster checks that a machine which is better in anything but its caches' sizes is no slower, that the time is in its interval, and that this begins with no less
// than memory needs at its fastest.
func (a *absurdity) faster(m *machine.Machine, threads int, f *forecast) {
	fastest := 0.0
	if gbs, ok := m.Memory.BandwidthGBs.Get(); ok {
		fastest = f.in.Traffic[len(f.in.Traffic)-1].AllLines * float64(m.LineBytes.Or(64)) / (gbs * 1e9)
	}
	if !(f.Low <= f.Time*(1+rounding) && f.Time <= f.High*(1+rounding)) || f.Low < fastest*(1-rounding) {
		a.Errorf("%s on %s, %d threads: %g s, between %g and %g s; memory alone needs %g s", a.name, m.Name, threads, f.Time, f.Low, f.High, fastest)
	}
	for _, b := range faster(m) {
		if e := estimateOf(f.in, b.improved(m)); e == nil || e.Time > f.Time*(1+b.anomaly) {
			a.Errorf("%s on %s, %d threads, with %s: %v, before %g s", a.name, m.Name, threads, b.name, e, f.Time)
		}
	}
}

// larger checks that larger caches make nothing slower; what is slower may be allowed.
func (a *absurdity) larger(m *machine.Machine, threads int, before *forecast, allowed func(before, after *forecast) bool) {
	for _, b := range larger(m) {
		anomaly := b.anomaly
		if m.Measured != nil {
			anomaly = max(anomaly, arrivalAnomaly)
		}
		after := a.forecast(b.improved(m), threads)
		if after.Time > before.Time*(1+anomaly) && (allowed == nil || !allowed(before, after)) {
			a.Errorf("%s on %s, %d threads, with %s: %g s, before %g s (%+.2g); hit rates fell by up to %.2f standard errors",
				a.name, m.Name, threads, b.name, after.Time, before.Time, after.Time/before.Time-1, fallen(before.hits, after.hits))
		}
	}
}

// fallen says by how many standard errors a hit rate fell, at most.
func fallen(before, after []HitRate) (most float64) {
	for i := range before {
		if drop := before[i].HitRate - after[i].HitRate; drop > 0 {
			most = max(most, drop/math.Hypot(before[i].StandardError, after[i].StandardError))
		}
	}
	return most
}

// caused checks that threads are at most as many times as fast as one, unless some cache serves visibly more; and that lines do not cost several threads
// less than one thread that has the same to get.
func (a *absurdity) caused(m *machine.Machine, threads int, alone, f *forecast) {
	rise := 0.0
	for i := range f.hits {
		rise = max(rise, f.hits[i].HitRate-alone.hits[i].HitRate)
	}
	if speedup := alone.Time / f.Time; speedup > float64(threads)*(1+rounding) && rise < visible {
		a.Errorf("%s on %s: %d threads are %g times as fast as one; hit rates rise by %g at most", a.name, m.Name, threads, speedup, rise)
	}
	if m.Measured != nil { // phases say how lines come with so many threads
		return
	}
	same := alone.in
	same.Traffic = slices.Clone(f.in.Traffic)
	for i := range same.Traffic {
		same.Traffic[i].Lines = same.Traffic[i].AllLines
	}
	if e := estimateOf(same, m); e.Time > f.Time*float64(threads)*(1+rounding) {
		a.Errorf("%s on %s: %d threads take %g s, one with the same lines %g s", a.name, m.Name, threads, f.Time, e.Time)
	}
}

// TestOuterLinesCostMore: no line costs less than one of the same kind from further in, on any machine, nor where memory is made very fast.
func TestOuterLinesCostMore(t *testing.T) {
	for _, m := range libraryMachines(t) {
		if untimed[m.Name] {
			continue
		}
		for _, b := range append(faster(m), better{"nothing better", func(*machine.Machine) {}, 0}) {
			if m.Measured != nil && b.name != "nothing better" {
				continue // measured sources are scaled one by one, as if another machine
			}
			better := b.improved(m)
			before := [3]float64{}
			for i := range m.Levels {
				place := "memory"
				if i+1 < len(m.Levels) {
					place = m.Levels[i+1].Name
				}
				for kind, step := range []bandwidth.Step{{Lines: 1}, bandwidth.RandomStep(), {Lines: math.Inf(1), Sets: bandwidth.FewestSets}} {
					tr := timing.Traffic{Level: place}
					tr.Steps[step.Class()] = 1
					if step.Sequential() {
						tr.Sequential = 1
					}
					cycles, err := timing.LineCycles(better, tr)
					if err != nil {
						t.Fatal(err)
					}
					if cycles < before[kind]*(1-rounding) {
						t.Errorf("%s with %s: a line from %s costs %g cycles, one from further in %g", m.Name, b.name, place, cycles, before[kind])
					}
					before[kind] = max(before[kind], cycles)
				}
			}
		}
	}
}
