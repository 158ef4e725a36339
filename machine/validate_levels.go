package machine

import "fmt"

// maxSize is the largest cache taken for real, in bytes: 16 TiB. Chosen.
const maxSize Size = 1 << 44

// levelProblems are those of the caches, alone and from one to the next.
func (m *Machine) levelProblems(v *validator) {
	if len(m.Levels) == 0 {
		v.add(at("levels"), "missing; a machine needs at least its L1")
	}
	for i := range m.Levels {
		m.oneLevel(v, i)
		if i > 0 {
			growth(v, i, &m.Levels[i-1], &m.Levels[i])
		}
	}
}

// oneLevel looks at one cache.
func (m *Machine) oneLevel(v *validator, i int) {
	l, p := &m.Levels[i], at("levels", i)
	if want := fmt.Sprintf("L%d", i+1); l.Name != want {
		v.add(under(p, "name"), "%q is in the place of %s; list the levels from the core outwards", short(l.Name), want)
	}
	required(v, under(p, "size"), l.Size)
	required(v, under(p, "shared_by"), l.SharedBy)
	between(v, under(p, "size"), l.Size, 1, maxSize)
	between(v, under(p, "effective_size"), l.EffectiveSize, 1, maxSize)
	between(v, under(p, "ways"), l.Ways, 1, 1<<14)
	between(v, under(p, "shared_by"), l.SharedBy, 1, 1<<16)
	line(v, under(p, "line_bytes"), l.LineBytes)
	between(v, under(p, "latency_cycles"), l.LatencyCycles, 0.1, 1e5)
	between(v, under(p, "reciprocal_throughput"), l.ReciprocalThroughput, 0.01, 1e5)
	between(v, under(p, "sequential_cycles_per_line"), l.SequentialCyclesPerLine, 0.01, 1e5)
	between(v, under(p, "far_cycles_per_line"), l.FarCyclesPerLine, 0.01, 1e5)
	oneOf(v, under(p, "replacement"), l.Replacement, Replacements)
	oneOf(v, under(p, "inclusion"), l.Inclusion, Inclusions)
	oneOf(v, under(p, "write_policy"), l.WritePolicy, WritePolicies)
	m.geometry(v, l, p)
}

// geometry wants whole sets, and whole groups of cores.
func (m *Machine) geometry(v *validator, l *Level, p []any) {
	size, ways, line := int64(l.Size.Or(0)), int64(l.Ways.Or(1)), int64(m.Line(l))
	if set := ways * line; size > 0 && ways > 0 && ways <= 1<<14 && line > 0 && line <= 4096 && size%set != 0 {
		v.add(under(p, "size", "value"), "%s is not a multiple of %d ways × %d-byte lines = %d bytes; correct size or ways",
			FormatSize(size), ways, line, set)
	}
	shared, cores := l.SharedBy.Or(1), m.Cores.Or(0)
	if shared > 0 && cores > 0 && cores%shared != 0 {
		v.add(under(p, "shared_by", "value"), "groups of %d cores do not divide the socket's %d cores", shared, cores)
	}
}

// growth wants each level larger, shared by as many cores or more, and slower than the one inside it.
func growth(v *validator, i int, inner, outer *Level) {
	p := at("levels", i)
	if a, b := inner.Size.Or(0), outer.Size.Or(maxSize); a >= b {
		v.add(under(p, "size", "value"), "%v is not larger than the %v of %s", b, a, short(inner.Name))
	}
	a, b := inner.SharedBy.Or(1), outer.SharedBy.Or(1)
	if a > 0 && b > 0 && outer.SharedBy != nil && b%a != 0 {
		v.add(under(p, "shared_by", "value"), "%d cores cannot share it where %d share an %s", b, a, short(inner.Name))
	}
	if a, b := inner.LatencyCycles.Or(0), outer.LatencyCycles.Or(1e5); a >= b {
		v.add(under(p, "latency_cycles", "value"), "%g cycles are not more than the %g of %s", b, a, short(inner.Name))
	}
}
