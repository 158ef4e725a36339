package probe

import (
	"fmt"
	"math"
	"slices"

	"foresee/internal/quantile"
)

// burst is one timing of a short piece of work, with what the program knows of it.
type burst struct {
	ns        float64 // an operation
	before    float64 // ns of a cycle just before it
	after     float64 // and just after it
	lost      float64 // share of its time in which the thread did not run, or a hypervisor took the CPU
	preempted float64 // times
}

// burstValues are the numbers of a burst in the answers of the program.
const burstValues = 5

func burstsOf(command string, values []float64) (out []burst, err error) {
	if len(values) == 0 || len(values)%burstValues != 0 {
		return nil, fmt.Errorf("the probe answered %d numbers to %q, not %d a burst", len(values), command, burstValues)
	}
	for v := range slices.Chunk(values, burstValues) {
		b := burst{v[0], v[1], v[2], v[3], v[4]}
		if !(b.ns >= 0 && b.before > 0 && b.after > 0) {
			return nil, fmt.Errorf("the probe answered to %q what cannot be: %v", command, v)
		}
		out = append(out, b)
	}
	return out, nil
}

// A burst is disturbed where so much of its time was lost, or where the clock beside it changed by so much.
const (
	lostMost  = 0.02
	clockMost = 0.02
)

func (b burst) disturbed() bool {
	return b.lost > lostMost || b.preempted > 0 || max(b.before, b.after) > (1+clockMost)*min(b.before, b.after)
}

// cycle is ns of the cycles while it went on.
func (b burst) cycle() float64 { return (b.before + b.after) / 2 }

// ran is a long burst, which outlasts what it finds in caches after it was preempted: only the time in which it ran counts.
func (b burst) ran() burst {
	b.ns *= 1 - min(b.lost, 1)
	b.lost, b.preempted, b.after = 0, 0, b.before
	return b
}

// Sample is a measured value: a low quantile of the bursts that nothing disturbed, as what the machine does beside only ever adds time.
type Sample struct {
	Value  float64 // ns
	Cycles float64 // by the clock beside each burst
	Spread float64 // of the faster bursts: how far the second fifth lies above the least, over the value
	N      int     // bursts that count
	Thrown int     // those that were disturbed
	Floor  bool    // the bursts that count are the fastest alone: the others scatter
}

// Quantiles of the bursts: the value, and the end of those whose spread counts.
const (
	lowQuantile  = 0.2
	fasterBursts = 0.4
	leastBursts  = 3 // that a value is taken of, if there are so many
)

// Where bursts scatter, as with another guest on the core's other thread for some ms of ten, those within floorWidth of the fastest are
// the machine by itself, if there are floorBursts of them. Found on three measurements of one busy Ice Lake: of 74 samples that scattered so
// 31 had such a floor; 27 of them, which another of the measurements gave without scatter, within 1.1 % of it in the mean, 8 % at worst; with three bursts, or 3 %, 69 % at worst.
const (
	floorWidth  = 0.02
	floorBursts = 4
)

func sampleOf(bursts []burst) Sample { return sampleAt(bursts, lowQuantile) }

func sampleAt(bursts []burst, low float64) Sample {
	kept := slices.DeleteFunc(slices.Clone(bursts), burst.disturbed)
	s := Sample{N: len(kept), Thrown: len(bursts) - len(kept)}
	if s.N < min(leastBursts, len(bursts)) { // all were disturbed: the least of what there is
		kept = bursts
	}
	if len(kept) == 0 {
		return s
	}
	ns, cycles := make([]float64, len(kept)), make([]float64, len(kept))
	for i, b := range kept {
		ns[i], cycles[i] = b.ns, b.ns/b.cycle()
	}
	s.Value, s.Cycles = quantile.Of(ns, low), quantile.Of(cycles, low)
	if s.Cycles > 0 {
		s.Spread = (quantile.Of(cycles, fasterBursts) - quantile.Of(cycles, 0)) / s.Cycles
	}
	if s.Spread > tooWide {
		return s.onFloor(ns, cycles)
	}
	return s
}

// onFloor is the sample of the fastest bursts alone, where enough of them agree.
func (s Sample) onFloor(ns, cycles []float64) Sample {
	least := quantile.Of(cycles, 0)
	var floor, floorNs []float64
	for i, c := range cycles {
		if c <= (1+floorWidth)*least {
			floor, floorNs = append(floor, c), append(floorNs, ns[i])
		}
	}
	if len(floor) < floorBursts {
		return s
	}
	middle := quantile.Median(floor)
	return Sample{
		Value: quantile.Median(floorNs), Cycles: middle, Spread: (slices.Max(floor) - least) / middle,
		N: len(floor), Thrown: s.Thrown + len(cycles) - len(floor), Floor: true,
	}
}

// additions is the step of integer additions that wait for one another, each of which takes a cycle.
const additions = "add_int latency"

// The share of the time that short interruptions take: what is less is not told from noise, what is more is another disturbance. Chosen.
const (
	interruptedSaid = 0.01
	interruptedMost = 0.1
)

// interrupted is by how much longer work takes than the clock beside it tells. That clock is timed in pieces of some 10 us, which run through
// where a host interrupts its guests for 2 us every 100 us, seen by no counter; bursts are longer and hold some of these. So an addition, which
// takes one cycle, takes 1.034 of them in bursts, and so does all else.
// Another operation that takes whole cycles must show the same, so that no other work beside the additions alone is taken for it.
// Where additions take their cycle and all other operations of whole cycles are shorter by one share, it is the additions, in bursts and in the clock, that
// take longer: it is less than 1 then.
func (m *measurement) interrupted() float64 {
	s := m.answers[additions]
	if s.N < leastBursts || s.Spread > unsteady {
		return 1
	}
	if math.Abs(s.Cycles-1) < interruptedSaid {
		return m.shortened()
	}
	if s.Cycles < 1 || s.Cycles > 1+interruptedMost {
		return 1
	}
	for key, other := range m.answers {
		if key != additions && pipelined(key) && other.N >= leastBursts && math.Abs(other.Cycles/math.Round(other.Cycles)/s.Cycles-1) < interruptedSaid {
			return s.Cycles
		}
	}
	return 1
}

// agreeing is how many operations must be shorter by the same share. Chosen: half of those that are measured.
const agreeing = 6

// shortened is by what share operations of whole cycles are shorter than they can be; 1 where they are not, or not alike.
func (m *measurement) shortened() float64 {
	var shares []float64
	for key, s := range m.answers {
		if n := math.Round(s.Cycles); key != additions && pipelined(key) && n >= 1 && s.N >= leastBursts && s.Spread <= unsteady {
			shares = append(shares, s.Cycles/n)
		}
	}
	if len(shares) < agreeing {
		return 1
	}
	middle := quantile.Median(shares)
	apart := func(x float64) bool { return math.Abs(x/middle-1) > interruptedSaid }
	if middle > 1-interruptedSaid || middle < 1-interruptedMost || slices.ContainsFunc(shares, apart) {
		return 1
	}
	return middle
}

// undisturbed is a sample of a step in the cycles of which it would be without interruptions; its time stays, as programs are interrupted too.
func (m *measurement) undisturbed(key string, s Sample) Sample {
	longer := m.interrupted()
	if key != additions || longer > 1 {
		s.Cycles /= longer
	}
	return s
}

// said is the sample in words, for sources.
func (s Sample) said() string {
	text := fmt.Sprintf("fastest fifth of %d bursts, spread %.1f %%", s.N, 100*s.Spread)
	if s.Floor {
		return fmt.Sprintf("the fastest %d of %d bursts, spread %.1f %%; the others scatter", s.N, s.N+s.Thrown, 100*s.Spread)
	}
	if s.Thrown > 0 {
		text += fmt.Sprintf(", %d disturbed ones left out", s.Thrown)
	}
	return text
}
