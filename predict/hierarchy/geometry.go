package hierarchy

import (
	"fmt"

	"foresee/machine"
	"foresee/model/cache"
)

// Geometry is the cache that cumulative hits of a level are counted in: an exclusive level holds what the levels
// above do not, so that its lines and theirs add up.
func Geometry(m *machine.Machine, l *machine.Level, count int) (g cache.Geometry, assumption string, err error) {
	size, ok := l.Capacity()
	if !ok {
		return g, "", fmt.Errorf("machine %s has no levels.%s.size; add it to a machine file", m.Name, l.Name)
	}
	line := int64(m.Line(l))
	g.Lines = int64(size) / line
	g.Ways = g.Lines
	if ways, ok := l.Ways.Get(); ok {
		g.Ways = int64(ways)
		g.Lines -= g.Lines % g.Ways // of sizes that were measured
	} else {
		assumption = fmt.Sprintf("machine %s does not say how many ways %s has; taken as fully associative", m.Name, l.Name)
	}
	if l.Inclusion.Or("") == "exclusive" {
		inner := InnerLines(m, l, count)
		sets := g.Lines / g.Ways
		g.Ways += inner / sets
		g.Lines = sets * g.Ways
	}
	return g, assumption, g.Validate()
}

// InnerLines counts the lines of the level above, over all cores that share l and run a thread.
func InnerLines(m *machine.Machine, l *machine.Level, count int) int64 {
	for i := range m.Levels {
		if &m.Levels[i] != l || i == 0 {
			continue
		}
		inner := &m.Levels[i-1]
		size, _ := inner.Size.Get()
		instances := max(1, l.Sharers(count)/max(1, inner.Sharers(count)))
		return int64(size) / int64(m.Line(inner)) * int64(instances)
	}
	return 0
}
