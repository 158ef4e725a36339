package followed

import (
	"foresee/machine"
	"foresee/model/core"
)

// Where lines are taken to come from that the second cache does not hold.
const (
	near   = iota // the second cache itself
	third         // the cache behind it; memory where there is none
	memory        // memory
	places
)

// usualL3Cycles and usualMemoryNs are what lines take where a machine does not tell: about those of the library's machines. Chosen.
const (
	usualL3Cycles = 50
	usualMemoryNs = 100
	innerLevels   = 2
)

// latencies are what lines take from each place, in cycles beyond those from the first cache.
func latencies(m *machine.Machine) (out [places]float64) {
	if inner := core.InnerLevels(m); len(inner) > 0 {
		out[near] = inner[len(inner)-1].Cycles
	}
	l1 := 0.0
	if len(m.Levels) > 0 {
		l1 = m.Levels[0].LatencyCycles.Or(0)
	}
	ns := m.Memory.LatencyNs.Or(usualMemoryNs)
	cycles, err := m.Cycles(ns)
	if err != nil {
		cycles = usualL3Cycles * 4
	}
	out[memory] = max(out[near], cycles-l1)
	out[third] = out[memory]
	if len(m.Levels) > innerLevels {
		out[third] = min(out[memory], max(out[near], m.Levels[innerLevels].LatencyCycles.Or(usualL3Cycles)-l1))
	}
	return out
}

// Lines are what a region waits for lines that the second cache does not hold.
type Lines struct {
	cycles [places]float64 // of all its code, with these lines coming from each place
	beyond float64         // how many lines they are
}

// ofRegion are the lines of a region.
func (f *Follower) ofRegion(region int) *Lines {
	l := f.lines[region]
	if l == nil {
		l = &Lines{}
		f.lines[region] = l
	}
	return l
}

// Waits gives how many cycles a region's core stands still on average for a line from the third cache, and from memory, over all lines that the second
// cache does not hold, prefetched or not.
func (f *Follower) Waits(region int) (fromThird, fromMemory float64) {
	f.settle()
	l := f.lines[region]
	if l == nil || l.beyond == 0 {
		return 0, 0
	}
	return max(0, l.cycles[third]-l.cycles[near]) / l.beyond, max(0, l.cycles[memory]-l.cycles[near]) / l.beyond
}
