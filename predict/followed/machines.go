package followed

import (
	"math"
	"slices"
	"strings"

	"foresee/application/recording"
	"foresee/machine"
	"foresee/model/timing"
)

// Machines is the machine code of a recorded run as it takes its time on the cores of machines: one team of it is followed.
type Machines struct {
	Threads  int             // of the team that is followed
	Team     *recording.Team // that is followed; nil: not begun
	machines []*machine.Machine
	by       []*Follower // of each machine, once machine code runs; nil where the machine does not tell its core
}

// NewMachines prepares to follow the team of a number of threads through the cores of machines.
func NewMachines(threads int, machines []*machine.Machine) *Machines {
	return &Machines{Threads: threads, machines: machines}
}

// Wants implements recording.Follower.
func (c *Machines) Wants() bool {
	return slices.ContainsFunc(c.by, func(f *Follower) bool { return f != nil && f.Wants() })
}

// Idle implements recording.Follower.
func (c *Machines) Idle(code *recording.Code, segment int32) uint64 {
	n := uint64(math.MaxUint64)
	for _, f := range c.by {
		if f != nil {
			n = min(n, f.Idle(code, segment))
		}
	}
	return n
}

// Follow implements recording.Follower.
func (c *Machines) Follow(code *recording.Code, region int, segment int32, words []uint64) {
	for _, f := range c.by {
		if f != nil {
			f.Follow(code, region, segment, words)
		}
	}
}

// Pass implements recording.Follower. It begins to follow with the first segment of machine code.
func (c *Machines) Pass(code *recording.Code, region int, segment int32, times uint64) {
	if c.by == nil && len(code.Segments[segment].Code) > 0 {
		for _, m := range c.machines {
			f, err := New(m)
			if err != nil {
				f = nil
			}
			c.by = append(c.by, f)
		}
	}
	for _, f := range c.by {
		if f != nil {
			f.Pass(code, region, segment, times)
		}
	}
}

// region is the number that a region has in the team that was followed.
func (c *Machines) region(f *Follower, name string) int {
	if c.Team == nil {
		return f.Function(name)
	}
	for i, r := range c.Team.Regions() {
		if r.Name == name && r.Forks > 0 {
			return i
		}
	}
	return f.Function(name)
}

// Give gives blocks of a region, which are those of its segments that ran, what they take on a machine, and tells what it waits for lines; nil where the
// run is not of machine code, or nothing of the region was followed.
func (c *Machines) Give(number int, name string, code *recording.Code, counts []int64, blocks []*timing.Block) *timing.Waits {
	if c == nil || number >= len(c.by) || c.by[number] == nil {
		return nil
	}
	f := c.by[number]
	region, k, ok := c.region(f, name), 0, false
	for i, n := range counts {
		if n == 0 {
			continue
		}
		if blocks[k].Compiled = f.Compiled(code, region, i); blocks[k].Compiled != nil {
			ok = true
		}
		k++
	}
	if !ok {
		return nil
	}
	third, memory := f.Waits(region)
	return &timing.Waits{Cache: third, Memory: memory}
}

// Doubts say what of a region's cost on a machine was not measured; none where nothing of it was followed.
func (c *Machines) Doubts(number int, name string) []string {
	if c == nil || number >= len(c.by) || c.by[number] == nil {
		return nil
	}
	f := c.by[number]
	return f.Doubts(c.region(f, name))
}

// Compilers are those whose machine code ran.
func Compilers(code *recording.Code) string {
	var all []string
	for _, m := range code.Modules {
		if m.Compiler != "" && !slices.Contains(all, m.Compiler) {
			all = append(all, m.Compiler)
		}
	}
	return strings.Join(all, "; ")
}
