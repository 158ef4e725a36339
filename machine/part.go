package machine

import (
	"fmt"
	"slices"
)

// Part is what one of several processes has of a machine on whose cores they all work at once, spread evenly over its sockets and caches: its
// cores, its share of the capacity of caches that it shares with others, and its share of the bandwidth of all sockets, which they saturate
// together. A single process has all of it. Others tells how many there are besides.
func (m *Machine) Part(processes int) *Machine {
	if processes <= 1 {
		return m
	}
	out := *m
	out.Others = processes - 1
	cores := m.TotalCores()
	if cores > 0 {
		out.Cores = known(max(1, cores/processes), partSource(processes, fmt.Sprintf("%d cores", cores)))
	}
	if gbs, ok := m.Memory.BandwidthGBs.Get(); ok {
		sockets := m.Sockets.Or(1)
		out.Memory.BandwidthGBs = known(gbs*float64(sockets)/float64(processes), partSource(processes, fmt.Sprintf("%d × (%s)", sockets, m.Memory.BandwidthGBs.Source)))
	}
	out.Sockets = nil
	out.Levels = slices.Clone(m.Levels)
	for i := range out.Levels {
		out.Levels[i].share(m, cores, processes)
	}
	return &out
}

// partSource is where a value of a part is from.
func partSource(processes int, whole string) string {
	return fmt.Sprintf("derived: one of %d of %s", processes, whole)
}

// share leaves a process the part of a level that is its own: the instances of its cores, and of one that it shares with other processes whole
// sets.
func (l *Level) share(m *Machine, cores, processes int) {
	by := l.SharedBy.Or(1)
	if by <= 1 || cores <= 0 {
		return
	}
	instances := max(1, cores/by)
	sharing := (processes + instances - 1) / instances
	if sharing == 1 {
		return
	}
	l.SharedBy = known(max(1, by/sharing), partSource(sharing, "the cores of "+l.Name))
	set := Size(m.Line(l) * l.Ways.Or(1))
	if set <= 0 {
		set = 1
	}
	for _, size := range []**Value[Size]{&l.Size, &l.EffectiveSize} {
		if whole, ok := (*size).Get(); ok {
			*size = known(max(set, whole/Size(sharing)/set*set), partSource(sharing, (*size).Source))
		}
	}
}
