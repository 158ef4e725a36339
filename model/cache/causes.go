package cache

import "foresee/model/reuse"

// causes tells the misses of an instance apart.
type causes struct {
	stack *reuse.Stack // of lookups
	lines int64
	lost  map[uint64]struct{} // to writes of other threads, and not put in since
}

// newCauses is for an instance that holds so many lines, those of its victim cache included.
func newCauses(lines int64) *causes {
	return &causes{stack: reuse.NewStack(1), lines: lines, lost: map[uint64]struct{}{}}
}

// lookup records a lookup and counts its cause if it missed.
func (x *causes) lookup(line uint64, hit bool, counts *LevelCounts) {
	distance, before := x.stack.Touch(line)
	if hit {
		return
	}
	_, lost := x.lost[line]
	switch {
	case !before:
		counts.Compulsory++
	case lost:
		counts.Coherence++
	case distance >= x.lines:
		counts.Capacity++
	default:
		counts.Conflict++
	}
}
