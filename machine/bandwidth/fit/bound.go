package fit

import (
	"fmt"
	"math"
	"strconv"

	"foresee/machine/bandwidth"
)

// setting is what bounds are reckoned from: the caches of the machine, and the range of what was measured.
type setting struct {
	h                 *bandwidth.Hierarchy
	shortest, longest float64 // ns an access, of all points
	largest           float64 // bytes of the largest array
	worked            bool    // there are points with work between lines that are not in sequence
	runs              bool    // there are points in short runs
}

func newSetting(h *bandwidth.Hierarchy, points []bandwidth.Point) *setting {
	s := &setting{h: h, shortest: math.Inf(1)}
	for _, q := range points {
		s.shortest, s.longest = min(s.shortest, q.Ns()), max(s.longest, q.Ns())
		s.largest = max(s.largest, q.Bytes)
		s.worked = s.worked || q.CoreNs > 0 && q.Columns
		s.runs = s.runs || q.Run > 0
	}
	return s
}

// Scale is a quantity that bounds are multiples of.
type Scale struct {
	Name string // as the table prints it; "": the number stands for itself
	of   func(s *setting, level int) float64
}

// Bound is a number: times·scale/over.
type Bound struct {
	Times, Over float64
	Of          Scale
}

func (b Bound) at(s *setting, level int) float64 {
	if b.Of.of == nil {
		return b.Times / b.Over
	}
	return b.Of.of(s, level) * b.Times / b.Over
}

// String is the bound as a formula, such as "longest × 8".
func (b Bound) String() string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	switch {
	case b.Of.Name == "":
		return number(b.Times / b.Over)
	case b.Over != 1:
		return fmt.Sprintf("%s / %s", b.Of.Name, number(b.Over))
	case b.Times != 1:
		return fmt.Sprintf("%s × %s", b.Of.Name, number(b.Times))
	}
	return b.Of.Name
}

func number(v float64) Bound               { return Bound{Times: v, Over: 1} }
func times(of Scale, factor float64) Bound { return Bound{Times: factor, Over: 1, Of: of} }
func over(of Scale, divisor float64) Bound { return Bound{Times: 1, Over: divisor, Of: of} }

// Scales of times.
var (
	shortest = Scale{"shortest", func(s *setting, _ int) float64 { return s.shortest }}
	longest  = Scale{"longest", func(s *setting, _ int) float64 { return s.longest }}
	// even is where the time of a line from a level would be if the levels' were evenly apart, in their logarithms, between the shortest
	// and the longest time: of three levels L2 has a third of the way.
	even = Scale{"even", func(s *setting, level int) float64 {
		share := float64(level+1) / float64(len(s.h.Levels))
		return s.shortest * math.Pow(s.longest/s.shortest, share)
	}}
)

// latency is that of a load that the level serves, where it is known, and at least even; else thirty times the longest time.
var latency = Scale{"latency", func(s *setting, level int) float64 {
	ns := s.h.MemoryLatencyNs
	if level+1 < len(s.h.Levels) {
		ns = s.h.Levels[level+1].LatencyNs
	}
	if ns > 0 {
		return max(ns, even.of(s, level))
	}
	return s.longest * 30
}}

// Scales of sizes.
var (
	page = Scale{"page", func(s *setting, _ int) float64 { return s.h.Page }}
	// described, atLeast and atMost are about the size that the machine's description gives for a cache. Only the last one may be of any
	// size up to the largest array, as a hypervisor may tell that of the whole processor.
	described = Scale{"described", func(s *setting, level int) float64 {
		if s.last(level) {
			return min(s.h.Levels[level].Bytes, s.largest) / 2
		}
		return s.h.Levels[level].Bytes
	}}
	atLeast = Scale{"at least", func(s *setting, level int) float64 {
		if s.last(level) {
			return min(s.h.Levels[level-1].Bytes*1.5, s.most(level)/4)
		}
		return s.h.Levels[level].Bytes / 3
	}}
	atMost = Scale{"at most", func(s *setting, level int) float64 {
		if s.last(level) {
			return s.most(level)
		}
		return s.h.Levels[level].Bytes * 2
	}}
	// softness is the width of a cache's end where pages lie in random places: the pages of a colour are as many as ways in the mean, with
	// a relative standard deviation of 1/√ways. A cache that virtual addresses index ends sharply.
	softness = Scale{"softness", func(s *setting, level int) float64 {
		if l := s.h.Levels[level]; !l.Virtual {
			return 1 / math.Sqrt(max(l.Ways, 1))
		}
		return 0.05
	}}
)

// last says whether a level is the last one of several.
func (s *setting) last(level int) bool { return level > 0 && level == len(s.h.Levels)-1 }

// most is how large the last cache can be, in bytes.
func (s *setting) most(level int) float64 { return min(s.h.Levels[level].Bytes*1.5, s.largest) }
