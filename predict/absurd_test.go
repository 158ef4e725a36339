package predict

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"foresee/internal/oracle/kernels"
	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/model/timing"
)

// Predictions that a better machine makes slower are absurd: these tests look for them on all machines of the library.

// absurdKernels are of different kinds: products of matrices, streams, rows beside columns, stencils, gathered and transposed data, triangles, records, and
// loops that wait for themselves.
var absurdKernels = []string{"gemm", "stream-triad", "mvt", "jacobi-2d", "spmv-banded", "transpose", "cholesky", "particles-aos", "seidel-2d", "nussinov"}

// absurdSizes are those that the kernels run at: within and past the private caches.
func absurdSizes() []string {
	if testing.Short() {
		return []string{"SMALL"}
	}
	return []string{"SMALL", "MEDIUM"}
}

// rounding is by how much of itself a time may rise because sums are taken in another order. Chosen: a thousand times what float64 rounds off in sums of as
// many terms as there are reuses in a sample, 10⁵ of 10⁻¹⁶.
const rounding = 1e-9

// eachKernel analyses each kernel at each size.
func eachKernel(t *testing.T, sizes []string, names []string, options Options, f func(name string, s *Analysis, blocks []*timing.Block)) {
	t.Helper()
	for _, size := range sizes {
		ks, err := kernels.Load(t.TempDir(), size, names...)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range ks {
			blocks, err := timing.Blocks(k.Program)
			if err != nil {
				t.Fatal(err)
			}
			f(k.Name+" "+size, NewAnalysis(context.Background(), k.Program, options), blocks)
		}
	}
}

// better is a way in which a machine can be better.
type better struct {
	name  string
	apply func(m *machine.Machine)
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
		{"half the latency of memory", func(m *machine.Machine) { scale(&m.Memory.LatencyNs, 0.5); scale(&m.Memory.FarCyclesPerLine, 0.5) }},
		{"twice the bandwidth of memory", func(m *machine.Machine) {
			scale(&m.Memory.BandwidthGBs, 2)
			scale(&m.Memory.CoreBandwidthGBs, 2)
			scale(&m.Memory.SequentialCyclesPerLine, 0.5)
		}},
		{"eight times the bandwidth of memory", func(m *machine.Machine) {
			scale(&m.Memory.BandwidthGBs, 8)
			scale(&m.Memory.CoreBandwidthGBs, 8)
			scale(&m.Memory.SequentialCyclesPerLine, 1./8)
		}},
		{"measured memory in half the time", func(m *machine.Machine) { scaleSource(m, len(m.Levels)-1, 0.5) }},
		{"a higher clock", func(m *machine.Machine) { scale(&m.FrequencyGHz, 1.25) }},
		{"a wider front end", func(m *machine.Machine) { scale(&m.Core.IssueWidth, 2) }},
		{"more loads and stores", func(m *machine.Machine) { scale(&m.Core.LoadsPerCycle, 2); scale(&m.Core.StoresPerCycle, 2) }},
		{"a larger window", func(m *machine.Machine) { scale(&m.Core.ReorderBuffer, 2) }},
		{"operations of half the latency", func(m *machine.Machine) {
			for i := range m.Operations {
				scale(&m.Operations[i].LatencyCycles, 0.5)
			}
		}},
		{"twice the units", func(m *machine.Machine) {
			for i := range m.Operations {
				scale(&m.Operations[i].ReciprocalThroughput, 0.5)
			}
		}},
	}
	for i := range m.Levels {
		name := m.Levels[i].Name
		all = append(all, better{name + " of less latency", func(m *machine.Machine) { scale(&m.Levels[i].LatencyCycles, 0.8); scale(&m.Levels[i].FarCyclesPerLine, 0.8) }},
			better{name + " of twice the bandwidth", func(m *machine.Machine) { scale(&m.Levels[i].SequentialCyclesPerLine, 0.5) }})
		if i > 0 {
			all = append(all, better{name + " as measured, in half the time", func(m *machine.Machine) { scaleSource(m, i-1, 0.5) }})
		}
	}
	return all
}

// larger are machines with more cache in one level: twice the sets, and twice the ways.
func larger(m *machine.Machine) (all []better) {
	for i := range m.Levels {
		twice := func(m *machine.Machine) { scale(&m.Levels[i].Size, 2); scale(&m.Levels[i].EffectiveSize, 2) }
		all = append(all, better{"twice the sets of " + m.Levels[i].Name, twice})
		if m.Levels[i].Ways != nil {
			all = append(all, better{"twice the ways of " + m.Levels[i].Name, func(m *machine.Machine) { twice(m); scale(&m.Levels[i].Ways, 2) }})
		}
	}
	return all
}

// forecast is a prediction with what it is made of.
type forecast struct {
	*timing.Estimate
	in     timing.Input
	levels []levelHits
}

// forecastOf predicts a kernel; nil where the machine lacks what a time needs.
func forecastOf(t *testing.T, s *Analysis, blocks []*timing.Block, m *machine.Machine, threads int) *forecast {
	t.Helper()
	q := &query{analysis: s, on: m, blocks: blocks}
	d, err := q.of(threads)
	if err != nil {
		t.Fatal(err)
	}
	levels, err := s.hits(m, threads, s.options.HitModel)
	if err != nil {
		t.Fatal(err)
	}
	in, err := q.input(d, levels, modelOn(ModelAuto, m))
	if err != nil {
		t.Fatal(err)
	}
	e := estimateOf(t, in, m)
	if e == nil {
		return nil
	}
	return &forecast{e, in, levels}
}

// estimateOf is the time on a machine by the model that is taken there; nil where values are missing.
func estimateOf(t *testing.T, in timing.Input, m *machine.Machine) *timing.Estimate {
	t.Helper()
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

// untimed are the machines of the library of which too little is known for a time, and what a warning says is missing.
var untimed = map[string]bool{"graviton3": true, "opteron-2.8": true}

// TestFasterMachinesAreFaster: faster memory, faster caches, a higher clock or a wider core never make code slower. No time is shorter than memory needs at its
// fastest, nor outside of its interval.
func TestFasterMachinesAreFaster(t *testing.T) {
	machines := libraryMachines(t)
	eachKernel(t, absurdSizes(), absurdKernels, Options{Seed: 1, HitModel: HitModelSDCM}, func(name string, s *Analysis, blocks []*timing.Block) {
		for _, m := range machines {
			for _, threads := range []int{1, 4} {
				f := forecastOf(t, s, blocks, m, threads)
				if (f == nil) != untimed[m.Name] {
					t.Fatalf("%s on %s: time is %v", name, m.Name, f)
				}
				if f == nil {
					continue
				}
				at := fmt.Sprintf("%s on %s, %d threads", name, m.Name, threads)
				fastest := 0.0
				if gbs, ok := m.Memory.BandwidthGBs.Get(); ok {
					fastest = f.in.Traffic[len(f.in.Traffic)-1].AllLines * float64(m.LineBytes.Or(64)) / (gbs * 1e9)
				}
				if !(f.Low <= f.Time*(1+rounding) && f.Time <= f.High*(1+rounding)) || f.Low < fastest*(1-rounding) {
					t.Errorf("%s: %g s, between %g and %g s; memory alone needs %g s", at, f.Time, f.Low, f.High, fastest)
				}
				for _, b := range faster(m) {
					if e := estimateOf(t, f.in, b.improved(m)); e == nil || e.Time > f.Time*(1+rounding) {
						t.Errorf("%s: with %s %v, before %g s", at, b.name, e, f.Time)
					}
				}
			}
		}
	})
}

// TestOuterLinesCostMore: no line costs less than one of the same kind from further in, on any machine, nor where memory is made very fast.
func TestOuterLinesCostMore(t *testing.T) {
	for _, m := range libraryMachines(t) {
		if untimed[m.Name] {
			continue
		}
		for _, b := range append(faster(m), better{"nothing better", func(*machine.Machine) {}}) {
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
				for kind, step := range []bandwidth.Step{{Lines: 1}, bandwidth.RandomStep(), {Lines: math.Inf(1), Sets: bandwidth.FewSets}} {
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

// TestLargerCachesAreNoSlower: twice the cache in any level never makes code slower, as hits are computed of reuse distances.
func TestLargerCachesAreNoSlower(t *testing.T) {
	machines := libraryMachines(t)
	eachKernel(t, absurdSizes(), absurdKernels, Options{Seed: 1, HitModel: HitModelSDCM}, func(name string, s *Analysis, blocks []*timing.Block) {
		for _, m := range machines {
			for _, threads := range []int{1, 4} {
				before := forecastOf(t, s, blocks, m, threads)
				if before == nil {
					continue
				}
				for _, b := range larger(m) {
					after := forecastOf(t, s, blocks, b.improved(m), threads)
					if after.Time > before.Time*(1+rounding) {
						t.Errorf("%s on %s, %d threads: with %s %g s, before %g s (%+.2g); %s", name, m.Name, threads, b.name, after.Time, before.Time, after.Time/before.Time-1, fallen(before.levels, after.levels))
					}
				}
			}
		}
	})
}

// fallen says by how much hit rates fell, in standard errors.
func fallen(before, after []levelHits) (out string) {
	for i := range before {
		if drop := before[i].hit - after[i].hit; drop > 0 {
			out += fmt.Sprintf("%s %.2g (%.2f sd) ", before[i].level.Name, drop, drop/math.Hypot(before[i].err, after[i].err))
		}
	}
	return out
}

// TestThreadsNeedACause: threads on cores of their own are together at most as many times as fast as one, where they find no more in the caches.
func TestThreadsNeedACause(t *testing.T) {
	machines := libraryMachines(t)
	eachKernel(t, absurdSizes(), absurdKernels, Options{Seed: 1}, func(name string, s *Analysis, blocks []*timing.Block) {
		for _, m := range machines {
			alone := forecastOf(t, s, blocks, m, 1)
			if alone == nil {
				continue
			}
			for _, threads := range []int{2, 4, 16} {
				f := forecastOf(t, s, blocks, m, threads)
				if speedup := alone.Time / f.Time; speedup > float64(threads)*(1+rounding) {
					t.Errorf("%s on %s: %d threads are %.4f times as many times as fast; %v %v", name, m.Name, threads, speedup/float64(threads), risen(alone.levels, f.levels), f.in.Imbalance)
				}
			}
		}
	})
}

// risen says by how much hit rates rose.
func risen(before, after []levelHits) (out string) {
	for i := range before {
		if rise := after[i].hit - before[i].hit; rise > 0 {
			out += fmt.Sprintf("%s %.2g (%.2f sd) ", before[i].level.Name, rise, rise/math.Hypot(before[i].err, after[i].err))
		}
	}
	return out
}
