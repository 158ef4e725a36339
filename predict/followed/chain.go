package followed

import (
	"foresee/machine"
	"foresee/model/core"
)

// chain finds how many lines that the first cache does not hold have to wait for one another: a load waits for another where its address comes from
// it, or where a branch that was guessed wrongly hung on it. It counts time in latencies of a line, of which as many pass at once as the core's window and
// what the code waits for allow; everything else takes none. What takes more of that time than the window alone would waits. Lines next to others that
// came before are taken to be there, as prefetchers bring them.
type chain struct {
	sets         [][]uint64 // lines in the first cache, the latest first, plus one
	recent       [recentLines]uint64
	next         int
	waits, free  timeline // with what code waits for, and with the window alone
	regions      map[int]*chained
	region       *chained
	regionNumber int
}

// timeline is when instructions have what they need and leave, in latencies of a line.
type timeline struct {
	register [64]float64
	floor    float64 // of all that comes behind the last wrong guess
	left     []float64
	at       int
	now      float64
}

// chained is what was found of a region.
type chained struct{ lines, waits, free float64 }

// recentLines is how many lines are looked at for neighbours: as the streams that prefetchers follow, several times over. Chosen.
const recentLines = 64

// usualWindow is the reorder window of a core whose machine does not tell, as package core takes it.
const usualWindow = 320

// usualWays and usualSets are those of a first cache of 32 KiB whose machine does not tell.
const (
	usualWays = 8
	usualSets = 64
	lineBytes = 64
)

func newChain(m *machine.Machine) *chain {
	sets, ways := usualSets, usualWays
	if levels := core.InnerLevels(m); len(levels) > 0 {
		sets, ways = levels[0].Sets, levels[0].Ways
	}
	window := m.Core.ReorderBuffer.Or(usualWindow)
	if m.Instructions != nil && m.Instructions.Windows.Reorder > 0 {
		window = m.Instructions.Windows.Reorder
	}
	c := &chain{regions: map[int]*chained{}, waits: timeline{left: make([]float64, window)}, free: timeline{left: make([]float64, window)}}
	for range sets {
		c.sets = append(c.sets, make([]uint64, ways))
	}
	return c
}

// touch says whether the cache holds a line, and brings it in.
func (c *chain) touch(line uint64) bool {
	set := c.sets[line%uint64(len(c.sets))]
	for i, held := range set {
		if held == line+1 {
			copy(set[1:i+1], set[:i])
			set[0] = line + 1
			return true
		}
	}
	copy(set[1:], set)
	set[0] = line + 1
	return false
}

// follows says whether a line lies next to one that came before, and remembers it.
func (c *chain) follows(line uint64) bool {
	found := false
	for _, r := range c.recent {
		if d := line - r; d+2 <= 4 && r != 0 {
			found = true
			break
		}
	}
	c.recent[c.next] = line
	c.next = (c.next + 1) % recentLines
	return found
}

// enter begins to count for a region.
func (c *chain) enter(region int) {
	if c.region != nil && c.regionNumber == region {
		return
	}
	c.region, c.regionNumber = c.regions[region], region
	if c.region == nil {
		c.region = &chained{}
		c.regions[region] = c.region
	}
}

// step takes an instruction, with the address that it accesses, if it does, and whether it was a branch that was guessed wrongly.
func (c *chain) step(x *core.Instruction, address uint64, accesses, wrong bool) {
	takes := 0.0
	if accesses && !c.touch(address/lineBytes) {
		c.region.lines++
		if !c.follows(address/lineBytes) && x.Load > 0 {
			takes = 1
		}
	}
	before, beforeFree := c.waits.now, c.free.now
	c.waits.step(x, takes, wrong, true)
	c.free.step(x, takes, false, false)
	c.region.waits += c.waits.now - before
	c.region.free += c.free.now - beforeFree
}

// step takes an instruction that takes so long.
func (t *timeline) step(x *core.Instruction, takes float64, wrong, depends bool) {
	begin := max(t.left[t.at], t.floor)
	ready := begin
	if depends {
		for _, r := range x.Address {
			ready = max(ready, t.register[r])
		}
		done := ready + takes
		for _, r := range x.Reads {
			done = max(done, t.register[r])
		}
		for _, r := range x.Writes {
			t.register[r] = done
		}
		if wrong {
			t.floor = done
		}
		t.now = max(t.now, done)
	} else {
		t.now = max(t.now, ready+takes)
	}
	t.left[t.at] = t.now
	t.at = (t.at + 1) % len(t.left)
}

// share is the part of a region's lines that waited.
func (c *chain) share(region int) (float64, bool) {
	r := c.regions[region]
	if r == nil || r.lines == 0 {
		return 0, r != nil
	}
	return min(1, max(0, (r.waits-r.free)/r.lines)), true
}
