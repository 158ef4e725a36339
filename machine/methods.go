package machine

import "fmt"

// Level returns the level of that name, or nil.
func (m *Machine) Level(name string) *Level {
	for i := range m.Levels {
		if m.Levels[i].Name == name {
			return &m.Levels[i]
		}
	}
	return nil
}

// Line returns the line size of the level in bytes: its own, else the machine's.
func (m *Machine) Line(l *Level) int {
	return l.LineBytes.Or(m.LineBytes.Or(0))
}

// Sets returns the number of sets, size / (ways × line), and false where ways are not known.
// It need not be a power of two: hashed and sliced caches have other counts.
func (m *Machine) Sets(l *Level) (int64, bool) {
	size, ways, line := int64(l.Size.Or(0)), int64(l.Ways.Or(0)), int64(m.Line(l))
	if size <= 0 || ways <= 0 || line <= 0 {
		return 0, false
	}
	return size / (ways * line), true
}

// Sharers returns how many of threads, one on each core and cores filled in order, share one instance of the level.
func (l *Level) Sharers(threads int) int {
	return max(1, min(threads, l.SharedBy.Or(1)))
}

// TotalCores returns the physical cores of all sockets.
func (m *Machine) TotalCores() int {
	return m.Cores.Or(0) * m.Sockets.Or(1)
}

// Seconds returns the time of cycles at the base frequency. It fails where the frequency is absent.
func (m *Machine) Seconds(cycles float64) (float64, error) {
	f, ok := m.FrequencyGHz.Get()
	if !ok {
		return 0, m.noFrequency()
	}
	return cycles / (f * 1e9), nil
}

// Cycles returns the cycles at the base frequency that ns nanoseconds take. It fails where the frequency is absent.
func (m *Machine) Cycles(ns float64) (float64, error) {
	f, ok := m.FrequencyGHz.Get()
	if !ok {
		return 0, m.noFrequency()
	}
	return ns * f, nil
}

func (m *Machine) noFrequency() error {
	return fmt.Errorf("machine %s: frequency_ghz is not known, so cycles cannot be turned into seconds; "+
		"save the machine to a file, add frequency_ghz there, and give the file", m.Name)
}

// Op returns the latency and the reciprocal throughput, in cycles, of a scalar operation. Either may be nil; ok is
// false where the machine does not list the operation.
func (m *Machine) Op(kind, typ string) (latency, reciprocal *Value[float64], ok bool) {
	for i := range m.Operations {
		if o := &m.Operations[i]; o.Kind == kind && o.Type == typ {
			return o.LatencyCycles, o.ReciprocalThroughput, true
		}
	}
	return nil, nil, false
}

// Capacity is what the level holds: the size that was measured where there is one, else the size that is told.
func (l *Level) Capacity() (Size, bool) {
	if size, ok := l.EffectiveSize.Get(); ok {
		return size, true
	}
	return l.Size.Get()
}
