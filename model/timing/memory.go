package timing

import (
	"fmt"

	"foresee/machine"
)

// Traffic is what one thread takes from one place: the accesses that it serves, as whole lines.
type Traffic struct {
	Level      string  // where the lines come from: L2, L3, …, memory
	Lines      float64 // of the slowest thread
	Sequential float64 // share of them that follow a neighbouring line, so that a prefetcher has them ready
	AllLines   float64 // of all threads of the machine
}

// farOverlap is how many far misses a core has in flight when nothing prefetches: the line fill buffers of the
// cores of the library hold 10 to 48, dependencies and address streams leave about this.
const farOverlap = 6

// sequentialShare is what is left of a miss's latency when the prefetcher was right but late, where the machine
// does not say: full bandwidth is one line in so many of its latencies.
const sequentialOverlap = 24

// lineCost gives the cycles for a line from a level (or memory), in sequence and far.
func (c *Costs) lineCost(level string) (sequential, far float64) {
	if level == "memory" {
		return c.memoryLineCost()
	}
	l := c.m.Level(level)
	if l == nil {
		return 0, 0
	}
	path := "levels." + level + "."
	latency, okL := l.LatencyCycles.Get()
	seq, okS := l.SequentialCyclesPerLine.Get()
	far, okF := l.FarCyclesPerLine.Get()
	if !okL && !okF {
		c.miss(path + "latency_cycles")
	}
	if !okS {
		seq = latency / sequentialOverlap
		if !okL {
			c.miss(path + "sequential_cycles_per_line")
		}
	}
	if !okF {
		far = latency / farOverlap
	}
	return seq, max(far, seq)
}

func (c *Costs) memoryLineCost() (sequential, far float64) {
	m := c.m.Memory
	latency := 0.0
	if ns, ok := m.LatencyNs.Get(); ok {
		latency, _ = c.m.Cycles(ns)
	}
	seq, okS := m.SequentialCyclesPerLine.Get()
	if gbs, ok := m.CoreBandwidthGBs.Get(); !okS && ok {
		seq, _ = c.m.Cycles(c.lineBytes() / gbs)
		okS = true
	}
	far, okF := m.FarCyclesPerLine.Get()
	if latency == 0 && !okF {
		c.miss("memory.latency_ns")
	}
	if !okS {
		seq = latency / sequentialOverlap
		if latency == 0 {
			c.miss("memory.sequential_cycles_per_line")
		}
	}
	if !okF {
		far = latency / farOverlap
	}
	return seq, max(far, seq)
}

func (c *Costs) lineBytes() float64 { return float64(c.m.LineBytes.Or(64)) }

// Lines is the time, in seconds, that traffic from one place takes.
func (c *Costs) Lines(t Traffic) (float64, error) {
	sequential, far := c.lineCost(t.Level)
	cycles := t.Lines * (t.Sequential*sequential + (1-t.Sequential)*far)
	seconds, err := c.m.Seconds(cycles)
	if err != nil {
		return 0, err
	}
	if t.Level == "memory" {
		if gbs, ok := c.m.Memory.BandwidthGBs.Get(); ok {
			seconds = max(seconds, t.AllLines*c.lineBytes()/(gbs*1e9*float64(c.m.Sockets.Or(1))))
		}
	}
	return seconds, nil
}

// MissingError says which values of a machine a model needs.
type MissingError struct {
	Machine string
	Paths   []string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("machine %s has no %s; add it to a machine file", e.Machine, join(e.Paths))
}

func join(paths []string) string {
	s := ""
	for i, p := range paths {
		if i > 0 {
			s += ", "
		}
		s += p
	}
	return s
}

// NewCosts reads costs from a machine.
func NewCosts(m *machine.Machine) *Costs { return &Costs{m: m} }

// Missing is nil when every value asked for so far was there.
func (c *Costs) Missing() error {
	if len(c.missing) == 0 {
		return nil
	}
	return &MissingError{c.m.Name, c.missing}
}
