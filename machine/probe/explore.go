package probe

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"foresee/machine"
	"foresee/machine/probe/chase"
)

// ErrNoCaches says that none are known, and that the chase shows none.
var ErrNoCaches = errors.New("nothing tells the caches of this machine, and the pointer chase shows none, as its latencies do not rise in steps")

// chaseStride is that of chases, in bytes: a line, so that neither a sector nor a neighbour of it comes along for nothing.
const chaseStride = 64

// Of chases, in bytes. Linking a long one up takes seconds.
const (
	leastChase   = 4096
	denseChase   = 16 << 20 // up to here there are many sizes: they take no time
	middleChase  = 128 << 20
	unknownChase = 512 << 20 // of a machine whose caches nobody tells
	longestChase = 1 << 30
	longestSmall = 256 << 20 // in small pages
)

// reach is how far the first chase goes: four times the last cache, if what is told of it can be, but far enough for another one.
func (m *measurement) reach() int64 {
	most := int64(unknownChase)
	if n := len(m.base.Levels); n > 0 {
		most = min(max(timesLast*m.capacity(n-1, unknownChase), middleChase), longestChase)
	}
	if m.most > 0 {
		most = min(m.most, longestChase)
	}
	if m.options.memory > 0 && m.most == 0 {
		most = min(most, m.options.memory/4)
	}
	return max(most, 1<<20) / chaseStride * chaseStride
}

// chaseSizes are those of chases up to a size: some on each plateau, and some between.
func (m *measurement) chaseSizes(most int64) (out []int64) {
	per := 8.0
	if m.options.Thorough {
		per = 16
	}
	for b := float64(leastChase); b < 0.95*float64(most); {
		out = append(out, int64(b)/chaseStride*chaseStride)
		switch {
		case b < 0.99*denseChase:
			b *= math.Pow(2, 1/per)
		case b < 0.99*middleChase:
			b *= math.Pow(2, 2/per)
		default:
			b *= math.Pow(2, 4/per)
		}
	}
	return append(out, most)
}

func chaseKey(kind string, bytes int64) string { return fmt.Sprintf("chase %s %d", kind, bytes) }

// planChase asks for the chase in huge pages up to a size.
func (m *measurement) planChase(most int64) {
	most = min(most, longestChase) / chaseStride * chaseStride
	m.farthest = max(m.farthest, most)
	m.askSeveral("hold huge", "hold %d 1", most)
	samples := 5
	if m.options.Thorough {
		samples = 11
	}
	for _, b := range m.chaseSizes(m.farthest) {
		if b <= most {
			m.ask(chaseKey("huge", b), "chase %d %d 1 1 %d %g", b, chaseStride, samples, burstNs)
		}
	}
}

// chaseOuterAgain asks once more, half a minute after the first time, for the sizes that the outermost cache serves: others who share it with
// a machine take lines away for seconds, and the fastest bursts of both times count.
func (m *measurement) chaseOuterAgain() {
	n := len(m.base.Levels)
	if n < 2 {
		return
	}
	inner, _ := m.base.Levels[n-2].Capacity()
	outer, _ := m.base.Levels[n-1].Capacity()
	m.askSeveral("pin", "pin %d", m.options.CPUs[0])
	m.askSeveral("hold huge", "hold %d 1", m.farthest)
	for _, b := range m.chaseSizes(m.farthest) {
		if b > int64(inner) && b <= int64(outer) {
			m.ask(chaseKey("huge", b), "chase %d %d 1 1 %d %g", b, chaseStride, outerSamples, burstNs)
		}
	}
}

// outerSamples are the bursts of a size of the outermost cache when it is looked at again. Chosen: twice those of the first time.
const outerSamples = 10

// planSmallChase asks for fewer sizes, in small pages, which show what page walks cost.
func (m *measurement) planSmallChase() {
	for _, b := range m.smallSizes() {
		m.ask(chaseKey("small", b), "chase %d %d 0 1 5 %g", b, chaseStride, burstNs)
	}
}

func (m *measurement) smallSizes() []int64 {
	most := float64(min(m.most, longestSmall))
	return sizes(leastChase, most, max(2, int(math.Log2(most/leastChase)*3/2)))
}

// inHuge says whether the kernel gave huge pages for the chase that asked for them.
func (m *measurement) inHuge() bool {
	got := m.first("hold huge")
	return len(got) > 0 && got[0] >= float64(m.farthest)/2
}

// findLevels finds the caches in the chase, doubts what is told of them, and decides how large arrays have to be.
func (m *measurement) findLevels() error {
	points, cycleNs := m.inCycles("huge", m.chaseSizes(m.farthest))
	found := untilMemory(chase.Plateaus(points), cycleNs)
	if len(m.base.Levels) == 0 && len(found) < 2 {
		return ErrNoCaches
	}
	told := len(m.base.Levels)
	found = m.matched(found)
	m.doubt(found, cycleNs)
	m.adopt(found)
	if m.base.LineBytes == nil {
		m.base.LineBytes = value(chaseStride, "assumed: nothing tells it, and nearly all processors have lines of 64 bytes")
	}
	if told == 0 && !m.inHuge() {
		m.note("the caches were found in small pages, as the system gives no huge ones: what looks like a cache may be where the TLB ends")
	}
	m.setMost(found)
	return nil
}

func (m *measurement) note(format string, args ...any) {
	m.notes = append(m.notes, fmt.Sprintf(format, args...))
}

// doubted is by how much what the chase finds and what is told differ at least for the chase to be believed: caches that replace lines at random look as
// much larger.
const doubted = 1.6

// matched leaves out plateaus that no cache is known to make, where the chase shows more than there are caches: those stay, in order, that
// end nearest to what is told, and those beyond. Other work that comes and goes makes steps of its own: on a busy Ice Lake the L2 of 1.25 MiB showed two, up to
// 192 KiB and up to 1.5 MiB.
func (m *measurement) matched(found []chase.Plateau) []chase.Plateau {
	told := len(m.base.Levels)
	if told == 0 || len(found)-1 <= told {
		return found
	}
	best, least := []int(nil), math.Inf(1)
	var choose func(chosen []int, off float64)
	choose = func(chosen []int, off float64) {
		i := len(chosen)
		if i == told {
			if off < least {
				best, least = slices.Clone(chosen), off
			}
			return
		}
		first := 0
		if i > 0 {
			first = chosen[i-1] + 1
		}
		for at := first; at < len(found)-1; at++ {
			end := found[at].Capacity
			choose(append(chosen, at), off+math.Abs(math.Log(end/float64(m.capacity(i, int64(end))))))
		}
	}
	choose(nil, 0)
	if best == nil {
		return found
	}
	var out []chase.Plateau
	for i, p := range found {
		if i < best[told-1] && !slices.Contains(best, i) {
			m.note("the pointer chase takes another time up to %s, where no cache is told to end: other work disturbed it", machine.FormatSize(int64(p.To)))
			continue
		}
		out = append(out, p)
	}
	return out
}

// doubt compares what is told with what is found, level by level, where the chase shows as many.
func (m *measurement) doubt(found []chase.Plateau, cycleNs float64) {
	caches := len(found) - 1
	if n := len(m.base.Levels); caches < n {
		if caches > 0 && m.seesMemory(found, cycleNs) {
			m.note("the pointer chase shows %d of the %d levels of caches that are told: others use them, or they are not as told", caches, n)
			m.doubtLast(found)
		}
		return
	}
	for i := range m.base.Levels {
		l := &m.base.Levels[i]
		told, ok := l.Capacity()
		edge := found[i].Capacity
		if ok && unsure(found, i) && float64(told) < doubted*found[i+1].From {
			m.note("the end of %s is not sure: it is told to be %v, but the pointer chase takes longer from %s on, up to %s: it was disturbed, or others use the cache meanwhile; predictions take what is told; measure again when nothing else runs",
				l.Name, told, machine.FormatSize(int64(found[i].To)), machine.FormatSize(int64(found[i+1].From)))
			continue
		}
		if !ok || max(edge/float64(told), float64(told)/edge) < doubted {
			continue
		}
		size := wholeSize(edge, l.Ways.Or(1)*m.base.LineBytes.Or(chaseStride))
		m.resize(l, size, m.chased(found, i), told, "it ends")
	}
}

// seesMemory says whether the last plateau is memory for sure: the chase went well past the last cache that is told, or takes as long as
// no cache does.
func (m *measurement) seesMemory(found []chase.Plateau, cycleNs float64) bool {
	last := len(m.base.Levels) - 1
	return m.farthest >= 2*m.capacity(last, 0) || found[len(found)-1].Latency*cycleNs > memoryNs
}

// adopt takes levels from the chase that nobody tells of.
func (m *measurement) adopt(found []chase.Plateau) {
	told := len(m.base.Levels)
	for i := told; i < len(found)-1; i++ {
		size := found[i].CacheSize()
		if unsure(found, i) {
			m.note("the end of L%d is not sure: between %s and %s the pointer chase was disturbed, or a cache there is hidden", i+1, machine.FormatSize(int64(found[i].To)), machine.FormatSize(int64(found[i+1].From)))
			middle := found[i]
			middle.Capacity = math.Sqrt(middle.To * middle.Capacity)
			size = middle.CacheSize()
		}
		if i > 0 && size <= max(m.capacity(i-1, 0), int64(m.base.Levels[i-1].Size.Or(0))) {
			return
		}
		m.base.Levels = append(m.base.Levels, machine.Level{
			Name: fmt.Sprintf("L%d", i+1), Size: value(machine.Size(size), m.chased(found, i)), SharedBy: m.sharedBy(i, len(found)-1),
		})
		if told > 0 {
			m.note("the pointer chase finds another cache of about %v that nothing tells of", machine.Size(size))
		}
	}
}

// widestRamp is how many times as large as what a cache holds an array is at most before none of it is held.
const widestRamp = 6

func unsure(found []chase.Plateau, i int) bool { return found[i+1].From > widestRamp*found[i].To }

// memoryNs is the latency from which a plateau is memory: no cache that cores have is as far, and what rises after it is the translation of addresses.
const memoryNs = 100

func untilMemory(found []chase.Plateau, cycleNs float64) []chase.Plateau {
	for i := range found {
		if i > 0 && found[i].Latency*cycleNs > memoryNs {
			found[i].Capacity, found[i].To = 0, found[len(found)-1].To
			return found[:i+1]
		}
	}
	return found
}

// chased says where a level was seen.
func (m *measurement) chased(found []chase.Plateau, i int) string {
	pages := "huge pages"
	if !m.inHuge() {
		pages = "small pages"
	}
	return fmt.Sprintf("%s: pointer chase in %s, from %.3g to %.3g cycles a load at %s", m.when(), pages, found[i].Latency, found[i+1].Latency, machine.FormatSize(int64(found[i].Capacity)))
}

// sharedBy is what holds of nearly all processors: the last of several levels is that of all cores, those before it are each core's own.
func (m *measurement) sharedBy(level, levels int) *machine.Value[int] {
	if level > 0 && level == levels-1 {
		return value(m.base.Cores.Or(1), "assumed: nothing tells it, and the last level is mostly that of all cores")
	}
	return value(1, "assumed: nothing tells it, and inner levels are mostly each core's own")
}

// partKept is how many times as large an array may be, in a cache of which others use a part, as where the chase ends, before nothing of it is
// found there again when it is passed over in order: of 480 MiB on a Granite Rapids host the chase finds 19 MiB, and passes end between 60 and
// 80. Chosen: a little less, as arrays are timesLast as large again.
const partKept = 2

// toldMost is how many times as large as the chase finds it a last cache may be told to be for arrays to reach past that. Chosen: of a virtual machine that is
// told the 32 MiB of its core complex the chase, which the TLB ends, finds 5; what is told of a whole processor is far more.
const toldMost = 8

// setMost decides on the largest array, where nobody does: four times the last cache, at most a quarter of the memory that is free. A last cache
// that is told and not seen counts where the chase went well past it: it may have been hidden by what went on meanwhile, and arrays
// that end in it would tell nothing of memory.
func (m *measurement) setMost(found []chase.Plateau) {
	if m.most > 0 {
		return
	}
	last := m.capacity(len(m.base.Levels)-1, m.farthest)
	if n := len(found) - 1; n > 0 && found[n].To > timesLast/2*found[n-1].Capacity && n < len(m.base.Levels) && timesLast*last > m.farthest {
		last = int64(found[n-1].Capacity) // nothing is seen of what is told beyond
	} else if l := m.base.Levels[len(m.base.Levels)-1]; l.EffectiveSize != nil && l.EffectiveSize.Value < l.Size.Value {
		if last *= partKept; int64(l.Size.Value) <= toldMost*int64(l.EffectiveSize.Value) {
			last = max(last, int64(l.Size.Value)) // sweeps may find all of it
		}
	}
	m.most = mostArrays(last, m.options.memory)
}
