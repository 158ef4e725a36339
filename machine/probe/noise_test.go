package probe

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/machine/probe/chase"
)

// quick is With but for the bandwidth functions, whose fits take seconds.
func quick(base *machine.Machine, s *synthetic, o Options) (*machine.Machine, error) {
	m := newMeasurement(context.Background(), base, s, o)
	if err := m.collect(); err != nil {
		return nil, err
	}
	out := *m.base
	out.Measured, out.Notes = &machine.Measured{}, m.notes
	m.page = 4096
	if err := m.values(&out); err != nil {
		return nil, err
	}
	m.tellLeft(&out)
	return &out, out.Validate()
}

// disturbances are what may go on beside a measurement. Each changes bursts, by the number of the command, as that is the time.
var disturbances = map[string]func(r *rand.Rand) func(asked int, command string, b burst) burst{
	// Another process has the CPU half of the time, for some commands at a time, which is seen.
	"preemption": func(*rand.Rand) func(int, string, burst) burst {
		return func(asked int, _ string, b burst) burst {
			if asked/7%2 == 0 {
				b.ns *= 1.9
				b.lost, b.preempted = 0.47, 3
			}
			return b
		}
	},
	// The host takes the CPU, which the guest does not see, in bursts here and there.
	"hidden steal": func(r *rand.Rand) func(int, string, burst) burst {
		return func(_ int, _ string, b burst) burst {
			if r.Float64() < 0.4 {
				b.ns *= 1 + 3*r.Float64()
			}
			return b
		}
	},
	"told steal": func(r *rand.Rand) func(int, string, burst) burst {
		return func(asked int, _ string, b burst) burst {
			if asked%3 == 0 {
				b.ns *= 1.3
				b.lost = 0.2
			}
			return b
		}
	},
	// The neighbour on the same core makes all a quarter slower, for hundreds of commands at a time.
	"two modes": func(*rand.Rand) func(int, string, burst) burst {
		return func(asked int, _ string, b burst) burst {
			if asked/250%2 == 1 {
				b.ns *= 1.25
			}
			return b
		}
	},
	// The host interrupts everything for a short time, again and again, but not the short pieces of the clock.
	"interruptions": func(*rand.Rand) func(int, string, burst) burst {
		return func(_ int, _ string, b burst) burst {
			b.ns *= interruptions
			return b
		}
	},
	// Additions that wait for one another take longer than a cycle, as those of the clock do.
	"slow additions": func(*rand.Rand) func(int, string, burst) burst {
		return func(_ int, command string, b burst) burst {
			b.before, b.after = b.before*interruptions, b.after*interruptions
			if strings.Contains(command, additions) {
				b.ns *= interruptions
			}
			return b
		}
	},
	// The clock falls by a third in the course of the measurement: what keeps to cycles takes longer with it.
	"clock drift": func(*rand.Rand) func(int, string, burst) burst {
		return func(asked int, _ string, b burst) burst {
			slower := 1 + 0.5*min(float64(asked)/6000, 1)
			b.ns, b.before, b.after = b.ns*slower, b.before*slower, b.after*slower
			return b
		}
	},
	"spikes": func(r *rand.Rand) func(int, string, burst) burst {
		return func(_ int, _ string, b burst) burst {
			if r.Float64() < 0.1 {
				b.ns *= 20
			}
			if r.Float64() < 0.05 {
				b.before *= 1.7
			}
			return b
		}
	},
}

// interruptions are by how much longer all takes where a host interrupts it, and additions where these are slow.
const interruptions = 1.034

// Whatever goes on beside, a value is right, or it is left out with a note.
func TestMeasuresAmongNoise(t *testing.T) {
	for name, disturb := range disturbances {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, s := invented(3)
			for i, size := range []machine.Size{32 << 10, 512 << 10, 8 << 20} { // as the synthetic machine is
				base.Levels[i].Size.Value = size
			}
			s.latency.Ns[0] = 1.6 // 4 cycles
			s.cost["add_f64 latency"], s.cost["div_f64 latency"] = 2, 13.5
			s.noise = 0.005
			s.disturb = disturb(rand.New(rand.NewPCG(3, 4)))
			m, err := quick(base, s, options(base))
			if err != nil {
				t.Fatal(err)
			}
			notes := strings.Join(m.Notes, "\n")
			right := func(what, left string, v *machine.Value[float64], want, tolerance float64) {
				t.Helper()
				if got, ok := v.Get(); !ok && !strings.Contains(notes, left) {
					t.Errorf("%s is missing without a note: %s", what, notes)
				} else if ok && math.Abs(got/want-1) > tolerance {
					t.Errorf("%s: %.4g, want %.4g", what, got, want)
				}
			}
			for i, cycles := range []float64{4, 14, 55} {
				right(m.Levels[i].Name, "the latency of "+m.Levels[i].Name, m.Levels[i].LatencyCycles, cycles, 0.03)
			}
			for _, o := range []struct {
				kind string
				want float64
			}{{machine.Add, 2}, {machine.Mul, 4}, {machine.Div, 13.5}} {
				latency, _, _ := m.Op(o.kind, machine.F64)
				right(o.kind, "the latency of "+o.kind+"_f64", latency, o.want, 0.02)
				if latency != nil && o.kind != machine.Div && latency.Value != o.want {
					t.Errorf("%s of %g cycles", o.kind, latency.Value)
				}
			}
			right("loads", "loads a cycle", m.Core.LoadsPerCycle, 2, 0.03)
			ghz := s.ghz
			if name == "interruptions" {
				ghz /= interruptions
				if len(m.Notes) == 0 || !strings.Contains(notes, "the host interrupts what runs here, 3.") || strings.Contains(notes, "no whole number") {
					t.Errorf("notes: %s", notes)
				}
			}
			if name == "slow additions" && (!strings.Contains(notes, "additions that wait for one another take longer than a cycle") || strings.Contains(notes, "no whole number")) {
				t.Errorf("notes: %s", notes)
			}
			if name != "clock drift" {
				right("clock", "nothing", m.FrequencyGHz, ghz, 0.01)
				right("memory", "the latency of memory", m.Memory.LatencyNs, 70, 0.05)
				right("a page's first touch", "what a page takes", m.Memory.PageFaultNs, faultOf(s.ghz), 0.05)
			} else if !strings.Contains(notes, "the clock changed") {
				t.Errorf("a clock that changes is not told of: %s", notes)
			}
			for _, c := range slices.Concat(m.Measured.Chases, m.Measured.Sweeps) {
				for _, p := range c.Points {
					if p[2] > tooWide {
						t.Errorf("a point of %s with a spread of %g is kept", c.Kind, p[2])
					}
				}
			}
		})
	}
}

// What cannot be is measured again, within bounds, and is left out when it stays so; what was known of it before stays.
func TestLeavesOutWhatCannotBe(t *testing.T) {
	base, s := invented(2)
	base.Operations = []machine.Operation{{Kind: machine.Add, Type: machine.F64, LatencyCycles: value(3.0, "a manual")}}
	s.cost["add_f64 latency"], s.cost["mul_f32 latency"] = 1.75, 3.3
	s.latency.Ns[0] = 3.07 / s.ghz
	again := 0
	s.disturb = func(_ int, command string, b burst) burst {
		if strings.HasPrefix(command, "operation add_f64 latency") {
			again++
		}
		if strings.HasPrefix(command, "window") || strings.HasPrefix(command, "operation exp_f64 latency") {
			b.ns *= 1 + 2*s.random.Float64()
		}
		return b
	}
	m, err := quick(base, s, options(base))
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(m.Notes, "\n")
	for _, want := range []string{"the latency of add_f64 of 1.75 cycles", "the latency of mul_f32 of 3.3 cycles", "the latency of L1, of 3.07 cycles", "the latency of exp_f64 (spread ", "the length of the reorder buffer"} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes do not tell of %q: %s", want, notes)
		}
	}
	if latency, _, _ := m.Op(machine.Add, machine.F64); latency.Or(0) != 3 {
		t.Errorf("an addition of %g cycles, want what was told", latency.Or(0))
	}
	if latency, throughput, ok := m.Op(machine.Mul, machine.F32); !ok || latency != nil || throughput == nil {
		t.Errorf("mul_f32: %v %v", latency, throughput)
	}
	if m.Levels[0].LatencyCycles != nil || m.Core.ReorderBuffer != nil {
		t.Errorf("L1 %v, reorder buffer %v", m.Levels[0].LatencyCycles, m.Core.ReorderBuffer)
	}
	if least, most := 5*(rounds+2), 5*(rounds+1+mostTries); again < least || again > most {
		t.Errorf("an addition that cannot be was measured %d times, want %d to %d", again, least, most)
	}
}

// Of a machine whose caches nobody tells the chase finds them.
func TestFindsCaches(t *testing.T) {
	for levels := 1; levels <= 3; levels++ {
		base, s := invented(levels)
		base.Levels, base.LineBytes = nil, nil
		s.noise = 0.01
		m, err := quick(base, s, Options{CPUs: []int{0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Levels) != levels || m.LineBytes.Or(0) != 64 {
			t.Fatalf("%d levels, want %d; lines of %d", len(m.Levels), levels, m.LineBytes.Or(0))
		}
		for i, l := range m.Levels {
			near(t, l.Name, float64(l.Size.Value), s.latency.Capacities[i].Bytes, 0.2)
			near(t, l.Name+" latency", l.LatencyCycles.Value, s.latency.Ns[i]*s.ghz, 0.04)
			if !strings.Contains(l.Size.Source, "pointer chase") || l.Ways != nil || !strings.Contains(l.SharedBy.Source, "assumed") {
				t.Errorf("%s: size by %q, shared by %q", l.Name, l.Size.Source, l.SharedBy.Source)
			}
		}
		near(t, "memory", m.Memory.LatencyNs.Value, s.latency.Ns[levels], 0.05)
		if last := s.latency.Capacities[levels-1].Bytes; last < 64<<20 && largest(m) > 8*max(last, leastMost/timesLast) {
			t.Errorf("arrays of up to %g bytes for a last cache of %g", largest(m), last)
		}
	}
	base, s := invented(1)
	base.Levels = nil
	s.latency = chase.Latency{Ns: []float64{5, 5}, Capacities: []bandwidth.Capacity{{Bytes: 1 << 15, Width: 0.1}}}
	if _, err := quick(base, s, Options{CPUs: []int{0}}); !errors.Is(err, ErrNoCaches) {
		t.Errorf("a machine without caches: %v", err)
	}
}

// What rises past memory is the translation of addresses, and no cache.
func TestUntilMemory(t *testing.T) {
	found := []chase.Plateau{{Latency: 4, To: 1 << 15, Capacity: 1 << 15}, {Latency: 500, To: 1 << 25, Capacity: 1 << 26}, {Latency: 900, To: 1 << 29}}
	got := untilMemory(slices.Clone(found), 0.3)
	if len(got) != 2 || got[1].Capacity != 0 || got[1].To != 1<<29 {
		t.Errorf("%+v", got)
	}
	if got := untilMemory(slices.Clone(found), 0.1); len(got) != 3 {
		t.Errorf("of a faster machine: %+v", got)
	}
}

func largest(m *machine.Machine) (most float64) {
	for _, c := range m.Measured.Sweeps {
		most = max(most, c.Points[len(c.Points)-1][0])
	}
	return most
}

// A hypervisor tells of 532 MB of L3, or of less than there is: predictions take what the chase finds, and both are told.
func TestDoubtsWhatIsTold(t *testing.T) {
	for told, found := range map[machine.Size]float64{532676608: 7.4 * (1 << 20), 2 << 20: 7.4 * (1 << 20)} {
		base, s := invented(3)
		base.Levels[2].Size, base.Levels[2].Ways = value(told, "sysconf"), nil
		m, err := quick(base, s, Options{CPUs: []int{0, 1}})
		if err != nil {
			t.Fatal(err)
		}
		l := m.Levels[2]
		effective, ok := l.EffectiveSize.Get()
		if !ok || l.Size.Value != told || !strings.Contains(l.EffectiveSize.Source, "sysconf") {
			t.Fatalf("told %v: %+v", told, l)
		}
		near(t, "effective size", float64(effective), found, 0.05)
		near(t, "L3 latency", l.LatencyCycles.Value, s.latency.Ns[2]*s.ghz, 0.03)
		if notes := strings.Join(m.Notes, "\n"); !strings.Contains(notes, "L3 is told to be "+told.String()) {
			t.Errorf("no note: %s", notes)
		}
		if largest(m) > 64<<20 {
			t.Errorf("told %v: arrays of up to %g bytes are swept", told, largest(m))
		}
	}
	base, s := invented(4) // a step inside of what is told, as where other work comes and goes
	s.latency.Capacities[2].Bytes, s.latency.Capacities[3].Bytes = 3*(1<<20), 20*(1<<20)
	base.Levels = base.Levels[:3]
	base.Levels[2].Size = value(machine.Size(48<<20), "sysconf")
	m, err := quick(base, s, Options{CPUs: []int{0}})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Levels) != 3 || !strings.Contains(strings.Join(m.Notes, "\n"), "no cache is told to end") {
		t.Errorf("%d levels; %q", len(m.Levels), m.Notes)
	}
	near(t, "size of the last level, past a step", float64(m.Levels[2].EffectiveSize.Or(0)), 20*(1<<20), 0.1)
	base, s = invented(3) // a level that nothing tells of
	base.Levels = base.Levels[:2]
	m, err = quick(base, s, Options{CPUs: []int{0}})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Levels) != 3 || !strings.Contains(strings.Join(m.Notes, "\n"), "finds another cache") {
		t.Errorf("%d levels; %q", len(m.Levels), m.Notes)
	}
}

// Where another guest is on the core's other thread for most of the time, the value is that of the moments without it, if these are enough
// to tell them from chance.
func TestSampleOnFloor(t *testing.T) {
	var bursts []burst
	for i := range 20 {
		bursts = append(bursts, burst{ns: 1.6 + 0.05*float64(i%7), before: 0.5, after: 0.5})
	}
	busy := sampleOf(bursts)
	for i := range floorBursts - 1 {
		bursts = append(bursts, burst{ns: 1 + 0.005*float64(i), before: 0.5, after: 0.5})
	}
	if few := sampleOf(bursts); few.Floor || few.Spread <= tooWide || few.N != len(bursts) {
		t.Errorf("too few agree to tell: %+v", few)
	}
	s := sampleOf(append(bursts, burst{ns: 1.005, before: 0.5, after: 0.5}))
	if !s.Floor || s.Value != 1.005 || s.Cycles != 2.01 || s.Spread > floorWidth || s.N != floorBursts || s.Thrown != 20 {
		t.Errorf("%+v", s)
	}
	if busy.Floor {
		t.Errorf("bursts that agree have no floor of their own: %+v", busy)
	}
}

// Bursts that were disturbed do not count, if enough others are there; of long ones only the time counts in which they ran.
func TestSampleOf(t *testing.T) {
	of := func(ns float64) burst { return burst{ns: ns, before: 0.5, after: 0.5} }
	preempted, stolen, turning := of(1), of(1), of(1)
	preempted.preempted, stolen.lost, turning.after = 1, 0.5, 0.6
	s := sampleOf([]burst{of(2), preempted, of(2), stolen, of(9), turning, of(2), of(2)})
	if s.Value != 2 || s.Cycles != 4 || s.Spread != 0 || s.N != 5 || s.Thrown != 3 {
		t.Errorf("%+v", s)
	}
	if s := sampleOf([]burst{preempted, preempted, preempted, of(2)}); s.Value != 1 || s.N != 1 {
		t.Errorf("where nearly all are disturbed: %+v", s)
	}
	if ran := stolen.ran(); ran.ns != 0.5 || ran.disturbed() {
		t.Errorf("%+v", ran)
	}
	for _, wrong := range [][]float64{nil, {1, 2}, {1, 0, 1, 0, 0}, {math.NaN(), 1, 1, 0, 0}} {
		if _, err := burstsOf("spin", wrong); err == nil {
			t.Errorf("%v is taken", wrong)
		}
	}
}

// A page's price that scatters is taken all the same, and said to be rough: programs would seem to get their memory in no time.
func TestRoughPages(t *testing.T) {
	base, _ := invented(1)
	m := &measurement{base: base, answers: map[string]Sample{faultKey: {Value: 1500, Spread: 0.45, N: 9}}}
	out := *base
	m.faults(&out)
	if v, _ := out.Memory.PageFaultNs.Get(); v != 1500 || !strings.Contains(strings.Join(out.Notes, "\n"), "is rough (spread 45 %)") {
		t.Errorf("%v, %q", v, out.Notes)
	}
	m.answers[faultKey] = Sample{Value: 1500, Spread: 1.3, N: 9}
	out = *base
	if m.faults(&out); out.Memory.PageFaultNs != nil || len(m.left) != 1 {
		t.Errorf("%v, %q", out.Memory.PageFaultNs, m.left)
	}
}
