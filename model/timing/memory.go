package timing

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/machine"
	"foresee/machine/bandwidth"
)

// Traffic is what one thread takes from one place: the accesses that it serves, as whole lines.
type Traffic struct {
	Level      string  // where the lines come from: L2, L3, …, memory
	Lines      float64 // of the slowest thread
	Sequential float64 // share of them that follow a neighbouring line, so that a prefetcher has them ready
	AllLines   float64 // of all threads of the machine
	Written    float64 // share of them that are written to
	// Steps are the shares of lines by the distance from the line before, by bandwidth.Step's Class; all 0: not known.
	Steps   [bandwidth.Steps]float64
	Streams float64 // how many streams they come in side by side; 0: one
	// Between is the share of all work of the phase that lies between one line in sequence and the next, while they come, and FarBetween
	// between other lines; 0: evenly spread.
	Between, FarBetween float64
	Run                 float64 // how many lines in sequence follow one another before those of another place do; 0: very many
	Begun               float64 // share of such runs that prefetchers do not follow from an earlier one
	Dependent           float64 // share of them whose address comes from the line before, so that their latencies add up
}

// farOverlap is how many far misses a core has in flight when nothing prefetches: the line fill buffers of the
// cores of the library hold 10 to 48, dependencies and address streams leave about this. Chosen.
const farOverlap = 6

// sequentialOverlap is how many lines in sequence come during the latency of one, where the machine does not say: prefetchers keep as many
// under way. Chosen: 24 lines of 64 bytes in 90 ns are 17 GB/s, what one core reaches.
const sequentialOverlap = 24

// lineCost gives the cycles of the core for a line from a level (or memory), in sequence, far, and where the next waits for it.
func (c *Costs) lineCost(level string) (sequential, far, latency float64) {
	v := lineValues{path: "memory"}
	if level == "memory" {
		v.memory(c)
	} else if l := c.m.Level(level); l != nil {
		v.path = "levels." + level
		v.latency, v.latencyKnown = l.LatencyCycles.Get()
		v.sequential, v.sequentialKnown = l.SequentialCyclesPerLine.Get()
		v.far, v.farKnown = l.FarCyclesPerLine.Get()
	}
	sequential, far = v.resolve(c)
	if latency = v.latency; !v.latencyKnown {
		latency = far * farOverlap
	}
	return sequential, far, latency
}

// lineValues is what a machine says of one level, in cycles.
type lineValues struct {
	path                                    string
	latency, sequential, far                float64
	latencyKnown, sequentialKnown, farKnown bool
}

// memory reads what a machine says of memory; the bandwidth of one core stands for the cost of a line in sequence.
func (v *lineValues) memory(c *Costs) {
	m := c.m.Memory
	if ns, ok := m.LatencyNs.Get(); ok {
		v.latency, _ = c.m.Cycles(ns)
		v.latencyKnown = true
	}
	v.far, v.farKnown = m.FarCyclesPerLine.Get()
	v.sequential, v.sequentialKnown = m.SequentialCyclesPerLine.Get()
	if v.sequentialKnown {
		return
	}
	if gbs, ok := m.CoreBandwidthGBs.Get(); ok {
		v.sequential, _ = c.m.Cycles(c.lineBytes() / gbs)
		v.sequentialKnown = true
	} else if gbs, ok := m.BandwidthGBs.Get(); ok {
		v.sequential, _ = c.m.Cycles(c.lineBytes() / gbs)
		v.sequentialKnown = true
		c.assume("%s has no memory.core_bandwidth_gbs: one core is taken to reach the socket's bandwidth", c.m.Name)
	}
}

// resolve fills in what is missing from what is there; where nothing is, it is missed (Missing).
func (v *lineValues) resolve(c *Costs) (sequential, far float64) {
	switch {
	case v.latencyKnown && !v.farKnown:
		v.far = v.latency / farOverlap
	case !v.farKnown && v.sequentialKnown:
		v.far = v.sequential
		c.assume("%s has neither latency nor far_cycles_per_line of %s: lines far apart cost as much as lines in sequence, so the time is a lower bound", c.m.Name, v.path)
	}
	switch {
	case v.sequentialKnown:
	case v.latencyKnown:
		v.sequential = v.latency / sequentialOverlap
	case v.farKnown:
		v.sequential = v.far
	default:
		c.miss(v.path + ".latency_*")
		c.miss(v.path + ".sequential_cycles_per_line")
	}
	return v.sequential, math.Max(v.far, v.sequential)
}

// assume notes what the model takes for granted because the machine does not say.
func (c *Costs) assume(format string, args ...any) {
	text := "machine " + fmt.Sprintf(format, args...)
	if !slices.Contains(c.assumptions, text) {
		c.assumptions = append(c.assumptions, text)
	}
}

func (c *Costs) lineBytes() float64 { return float64(c.m.LineBytes.Or(64)) }

// Lines is the time, in seconds, that traffic from one place takes: not less than memory's bandwidth lets through for all threads together.
func (c *Costs) Lines(t Traffic) (float64, error) {
	sequential, far, latency := c.lineCost(t.Level)
	cycles := t.Lines * (t.Dependent*latency + (1-t.Dependent)*(t.Sequential*sequential+(1-t.Sequential)*far))
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
	Paths   []string // of the values in a machine file
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("machine %s has no %s", e.Machine, strings.Join(e.Paths, ", "))
}

// NewCosts reads costs from a machine.
func NewCosts(m *machine.Machine) *Costs { return &Costs{m: m, cores: map[*Block]Core{}} }

// Missing is nil when every value asked for so far was there.
func (c *Costs) Missing() error {
	if len(c.missing) == 0 {
		return nil
	}
	return &MissingError{c.m.Name, c.missing}
}
