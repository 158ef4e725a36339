package predict

import (
	"fmt"
	"slices"
	"strings"

	"foresee/application"
	"foresee/application/recording"
	"foresee/machine"
	"foresee/model/core"
	"foresee/model/timing"
	"foresee/predict/followed"
)

// recordedCode is the machine code of a recorded run as it takes its time on the cores of machines: one team of it is followed.
type recordedCode struct {
	threads int                  // of the team that is followed
	by      []*followed.Follower // of each machine; nil where the machine does not tell its core
	team    *recording.Team
}

// follow prepares to follow the team of a number of threads.
func (r *Request) follow(threads int, out *PredictionResult) *recordedCode {
	c := &recordedCode{threads: threads}
	for _, m := range r.Machines {
		f, err := followed.New(m)
		if err != nil {
			f = nil
		} else if m.Instructions == nil {
			out.warn(derivedCore(m))
		}
		c.by = append(c.by, f)
	}
	return c
}

// derivedCore says where a core comes from whose instructions were not measured.
func derivedCore(m *machine.Machine) string {
	return fmt.Sprintf("%s: what instructions cost was not measured: operations, width and window are the machine's, all else that of %s", m.Name, core.Relative)
}

// dealing adds the followers to how accesses are dealt.
func (c *recordedCode) dealing(d application.Dealing) application.Dealing {
	d.Follower = func(threads int) recording.Follower {
		if threads != c.threads {
			return nil
		}
		return c
	}
	return d
}

// Wants implements recording.Follower.
func (c *recordedCode) Wants() bool {
	return slices.ContainsFunc(c.by, func(f *followed.Follower) bool { return f != nil && f.Wants() })
}

// Follow implements recording.Follower.
func (c *recordedCode) Follow(code *recording.Code, region int, segment int32, words []uint64) {
	for _, f := range c.by {
		if f != nil {
			f.Follow(code, region, segment, words)
		}
	}
}

// Pass implements recording.Follower.
func (c *recordedCode) Pass(code *recording.Code, region int, segment int32, times uint64) {
	for _, f := range c.by {
		if f != nil {
			f.Pass(code, region, segment, times)
		}
	}
}

// region is the number that a region has in the team that was followed.
func (c *recordedCode) region(f *followed.Follower, name string) int {
	if c.team == nil {
		return f.Function(name)
	}
	for i, r := range c.team.Regions() {
		if r.Name == name && r.Forks > 0 {
			return i
		}
	}
	return f.Function(name)
}

// give gives blocks of a region, which are those of its segments that ran, what they take on a machine, and tells what it waits for lines; nil where the
// run is not of machine code, or nothing of the region was followed.
func (c *recordedCode) give(number int, name string, code *recording.Code, counts []int64, blocks []*timing.Block) *timing.Waits {
	if c == nil || c.by[number] == nil {
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

// compilers are those whose machine code ran.
func compilers(code *recording.Code) string {
	var all []string
	for _, m := range code.Modules {
		if m.Compiler != "" && !slices.Contains(all, m.Compiler) {
			all = append(all, m.Compiler)
		}
	}
	return strings.Join(all, "; ")
}
