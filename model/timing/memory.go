package timing

import (
	"fmt"
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
	Scattered           float64 // share of them that come from anywhere, so that nothing but the core's window has them under way before they are asked for
	Dependent           float64 // share of them whose address comes from the line before, so that their latencies add up
}

// How many far misses a core has in flight when nothing prefetches and no address waits for a load, where the machine does not say (Little's law, as below): in the
// sweeps of the machines of the library that were measured, 4 and 8.5 of lines from L2, 6.9 and 15 from L3 (emerald-rapids-vm, granite-rapids-vm), whose geometric mean is
// 7.7, and 18.3 and 19.7 from memory.
const (
	farOverlap       = 8
	farMemoryOverlap = 19
)

// underWay is that of far misses from a place.
func underWay(level string) float64 {
	if level == memoryName {
		return farMemoryOverlap
	}
	return farOverlap
}

// sequentialOverlap is how many lines in sequence come during the latency of one, where the machine does not say: prefetchers keep as many
// under way (Little's law: lines under way = lines a second x latency). Chosen, near the geometric mean, 22, of the machines of the library that have both
// figures of their memory: 12 (xeon-e5-2699v4), 18 (cascade-lake), 24 (emerald-rapids-vm), 30 (granite-rapids-vm) and 41 (epyc-7702p).
const sequentialOverlap = 24

// lineCost gives the cycles of the core for a line from a level (or memory), in sequence, far, and where the next waits for it. No line costs
// less than one from a level further in: it takes the same way from there on, through the same buffers of the core.
func (c *Costs) lineCost(level string) (sequential, far, latency float64) {
	v := c.valuesOf(level)
	if !v.known() {
		c.miss(v.path + ".latency_*")
		c.miss(v.path + ".sequential_cycles_per_line")
	}
	for _, text := range v.assumptions {
		c.assume("%s", text)
	}
	sequential, far = v.sequential, v.far
	for i := 1; i < len(c.m.Levels) && c.m.Levels[i].Name != level; i++ {
		if inner := c.valuesOf(c.m.Levels[i].Name); inner.known() {
			sequential, far = max(sequential, inner.sequential), max(far, inner.far)
		}
	}
	if latency = v.latency; !v.latencyKnown {
		latency = far * underWay(level)
	}
	return sequential, far, latency
}

// lineValues is what a machine says of one level, in cycles, with what is derived of it.
type lineValues struct {
	path                                    string
	latency, sequential, far                float64
	latencyKnown, sequentialKnown, farKnown bool
	assumptions                             []string
}

// known says whether there is anything to tell the cost of a line from.
func (v *lineValues) known() bool { return v.latencyKnown || v.sequentialKnown || v.farKnown }

// valuesOf is what the machine says of a level or of memory; of other names nothing.
func (c *Costs) valuesOf(level string) *lineValues {
	v := &lineValues{path: memoryName}
	if level == memoryName {
		v.memory(c)
	} else if l := c.m.Level(level); l != nil {
		v.path = "levels." + level
		v.latency, v.latencyKnown = v.take(c, l.LatencyCycles, "latency_cycles")
		v.sequential, v.sequentialKnown = v.take(c, l.SequentialCyclesPerLine, "sequential_cycles_per_line")
		v.far, v.farKnown = v.take(c, l.FarCyclesPerLine, "far_cycles_per_line")
	}
	v.resolve(c)
	return v
}

// take gives a value of the machine, and notes where the machine file has assumed it.
func (v *lineValues) take(c *Costs, value *machine.Value[float64], field string) (float64, bool) {
	if text := assumed(c.m, value, v.path+"."+field); text != "" {
		v.assumptions = append(v.assumptions, text)
	}
	return value.Get()
}

// memory reads what a machine says of memory. The bandwidth of one core stands for the cost of a line in sequence; where that is not known, what
// the latency lets through, and no more than the bandwidth of the socket, which one core does not reach as a rule.
func (v *lineValues) memory(c *Costs) {
	m := c.m.Memory
	if ns, ok := v.take(c, m.LatencyNs, "latency_ns"); ok {
		v.latency, _ = c.m.Cycles(ns)
		v.latencyKnown = true
	}
	v.far, v.farKnown = v.take(c, m.FarCyclesPerLine, "far_cycles_per_line")
	if gbs, ok := v.take(c, m.CoreBandwidthGBs, "core_bandwidth_gbs"); !ok {
		v.sequential, v.sequentialKnown = v.take(c, m.SequentialCyclesPerLine, "sequential_cycles_per_line")
	} else if v.sequential, v.sequentialKnown = m.SequentialCyclesPerLine.Get(); !v.sequentialKnown {
		v.sequential, _ = c.m.Cycles(c.lineBytes() / gbs)
		v.sequentialKnown = true
	}
	if v.sequentialKnown || !v.latencyKnown {
		return
	}
	ns := m.LatencyNs.Value / sequentialOverlap
	if gbs, ok := m.BandwidthGBs.Get(); ok {
		ns = max(ns, c.lineBytes()/gbs)
	}
	v.sequential, _ = c.m.Cycles(ns)
	v.sequentialKnown = true
	v.assumptions = append(v.assumptions, fmt.Sprintf("%s has no memory.core_bandwidth_gbs: one core is taken to reach %.3g GB/s, %d lines of memory.latency_ns under way at most and no more than the socket",
		c.m.Name, c.lineBytes()/ns, sequentialOverlap))
}

// resolve fills in what is missing from what is there.
func (v *lineValues) resolve(c *Costs) {
	switch {
	case v.latencyKnown && !v.farKnown:
		v.far = v.latency / underWay(v.path)
	case !v.farKnown && v.sequentialKnown:
		v.far = v.sequential
		v.assumptions = append(v.assumptions, fmt.Sprintf("%s has neither latency nor far_cycles_per_line of %s: lines far apart cost as much as lines in sequence, so the time is a lower bound", c.m.Name, v.path))
	}
	switch {
	case v.sequentialKnown:
	case v.latencyKnown:
		v.sequential = v.latency / sequentialOverlap
	case v.farKnown:
		v.sequential = v.far
	}
	v.far = max(v.far, v.sequential)
}

// assumed says that a machine file has taken a value from a relative of the machine; "" where it has not.
func assumed[T any](m *machine.Machine, v *machine.Value[T], path string) string {
	from, ok := v.Assumed()
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s: %s is not known and taken to be %v: %s", m.Name, path, v.Value, from)
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
	alone, err := c.m.Seconds(sequential)
	return max(seconds, c.together(t, alone)), err
}

// fastest is the time, in seconds, that the socket's bandwidth lets the lines of all threads from memory pass in; 0 where it is not known, and for other places.
func (c *Costs) fastest(t Traffic) float64 {
	gbs, ok := c.m.Memory.BandwidthGBs.Get()
	if !ok || t.Level != "memory" {
		return 0
	}
	return t.AllLines * c.lineBytes() / (gbs * 1e9 * float64(c.m.Sockets.Or(1)))
}

// together is the time, in seconds, that memory needs at its fastest for the lines of all threads; 0 for other places. Where the bandwidth of a socket is
// not known, it is taken to be as often that of one core, which needs so many seconds for a line alone, as there are cores.
func (c *Costs) together(t Traffic, alone float64) float64 {
	if t.Level != "memory" {
		return 0
	}
	if _, known := c.m.Memory.BandwidthGBs.Get(); known {
		return c.fastest(t)
	}
	sockets, cores := float64(c.m.Sockets.Or(1)), float64(c.m.Cores.Or(1))
	if t.AllLines > t.Lines {
		c.assume("%s has no memory.bandwidth_gbs: its %g cores together are taken to reach as often what one does", c.m.Name, cores)
	}
	return t.AllLines * alone / (cores * sockets)
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
