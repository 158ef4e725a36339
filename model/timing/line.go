package timing

import "foresee/machine"

// LineCycles is what one line of some traffic costs one core, in cycles: as the machine was measured, else as Overlap has it.
func LineCycles(m *machine.Machine, t Traffic) (float64, error) {
	t.Lines, t.AllLines = 1, 0
	if f := m.Fit(machine.SweepRead); f != nil {
		for i, s := range f.Sources {
			if s.Name != t.Level {
				continue
			}
			ns := f.Exposed(i, f.CoreNs, t.Streams)
			for class, share := range t.steps() {
				ns += share * lineNs(f, i, class)
			}
			return m.Cycles(ns)
		}
	}
	c := NewCosts(m)
	seconds, err := c.Lines(t)
	if err != nil {
		return 0, err
	}
	if err := c.Missing(); err != nil {
		return 0, err
	}
	return m.Cycles(seconds * 1e9)
}
