package rank

import (
	"math"

	"foresee/machine"
)

// decisive is a value that times turn on, and how a machine is given the worst of it. Values in cycles are compared in ns.
type decisive struct {
	path  string
	level string // of a cache; "" of memory
	get   func(*machine.Machine) *machine.Value[float64]
	set   func(*machine.Machine, float64)
	// cycles says that it is in cycles of the core; high that more is worse.
	cycles, high bool
}

// levelOf is a level of a machine by name; nil where it has none.
func levelOf(m *machine.Machine, name string) *machine.Level {
	for i := range m.Levels {
		if m.Levels[i].Name == name {
			return &m.Levels[i]
		}
	}
	return nil
}

// chosen is the source of what stands in place of a value.
const chosen = "derived: the worst of the machines that are compared"

func worst(v float64) *machine.Value[float64] {
	return &machine.Value[float64]{Value: v, Source: chosen}
}

// decisives are the values of caches but the first, and of memory.
func decisives() (out []decisive) {
	for _, level := range []string{"L2", "L3", "L4"} {
		field := func(key string, of func(*machine.Level) **machine.Value[float64]) {
			out = append(out, decisive{
				path: "levels." + level + "." + key, level: level, cycles: true, high: true,
				get: func(m *machine.Machine) *machine.Value[float64] {
					if l := levelOf(m, level); l != nil {
						return *of(l)
					}
					return nil
				},
				set: func(m *machine.Machine, v float64) { *of(levelOf(m, level)) = worst(v) },
			})
		}
		field("latency_cycles", func(l *machine.Level) **machine.Value[float64] { return &l.LatencyCycles })
		field("sequential_cycles_per_line", func(l *machine.Level) **machine.Value[float64] { return &l.SequentialCyclesPerLine })
	}
	memory := func(key string, cycles, high bool, of func(*machine.Memory) **machine.Value[float64]) {
		out = append(out, decisive{
			path: "memory." + key, cycles: cycles, high: high,
			get: func(m *machine.Machine) *machine.Value[float64] { return *of(&m.Memory) },
			set: func(m *machine.Machine, v float64) { *of(&m.Memory) = worst(v) },
		})
	}
	memory("latency_ns", false, true, func(m *machine.Memory) **machine.Value[float64] { return &m.LatencyNs })
	memory("bandwidth_gbs", false, false, func(m *machine.Memory) **machine.Value[float64] { return &m.BandwidthGBs })
	memory("sequential_cycles_per_line", true, true, func(m *machine.Memory) **machine.Value[float64] { return &m.SequentialCyclesPerLine })
	return out
}

// atWorst is a machine with the worst value of the others in place of each decisive one that its file lacks or has from a relative; nil where it lacks
// none, or no other knows better.
func atWorst(m *machine.Machine, all []*machine.Machine) (twin *machine.Machine, missing, assumed []string) {
	missing, assumed = []string{}, []string{}
	copied := *m
	copied.Levels = append([]machine.Level{}, m.Levels...)
	changed := false
	for _, d := range decisives() {
		if d.level != "" && levelOf(m, d.level) == nil {
			continue
		}
		v := d.get(m)
		_, taken := v.Assumed()
		switch {
		case v == nil && answered(m, d):
			continue
		case v == nil:
			missing = append(missing, d.path)
		case taken:
			assumed = append(assumed, d.path)
		default:
			continue
		}
		if x, ok := worstOf(d, m, all); ok {
			if taken && d.high == (x < v.Value) { // what was assumed is worse
				continue
			}
			d.set(&copied, x)
			changed = true
		}
	}
	if !changed {
		return nil, missing, assumed
	}
	copied.Measured = nil // its bandwidth function would stand in place of the values
	return &copied, missing, assumed
}

// answered says whether another value of the file tells what an absent one would: of lines in sequence from memory the bandwidth of one core, and of a machine
// that was measured its bandwidth function.
func answered(m *machine.Machine, d decisive) bool {
	if m.Measured != nil && m.Fit(machine.SweepRead) != nil {
		return true
	}
	if d.path != "memory.sequential_cycles_per_line" {
		return false
	}
	_, taken := m.Memory.CoreBandwidthGBs.Assumed()
	return m.Memory.CoreBandwidthGBs != nil && !taken
}

// worstOf is the worst value that the machines know themselves, in the unit of one of them.
func worstOf(d decisive, m *machine.Machine, all []*machine.Machine) (float64, bool) {
	out, found := 0.0, false
	for _, other := range all {
		v := d.get(other)
		if _, taken := v.Assumed(); v == nil || taken || other == m {
			continue
		}
		x := v.Value
		if d.cycles {
			x /= other.FrequencyGHz.Or(1)
		}
		switch {
		case !found:
			out = x
		case d.high:
			out = math.Max(out, x)
		default:
			out = math.Min(out, x)
		}
		found = true
	}
	if d.cycles {
		out *= m.FrequencyGHz.Or(1)
	}
	return out, found
}
