package advise

import (
	"slices"
)

// further is by how much a change on top of another one must gain to be taken. Chosen: less is not worth a longer patch.
const further = 1.05

// mostOnTop is how many changes on top of another one are predicted in full. Chosen: the first is seldom wrong.
const mostOnTop = 2

// left is the time after a change, of all regions that it touches, with most threads; in seconds.
func (c *candidate) left() float64 {
	if c.all != nil {
		return c.all.after
	}
	return *c.after[len(c.after)-1].TimeS
}

// greedy puts the best change on top of the best one, as long as that gains: by code as foresee makes it, and what comes of it is compiled in the end.
func (s *search) greedy(single []*candidate) (*candidate, error) {
	if len(single) == 0 {
		return nil, nil
	}
	if low, _ := interval(single[0].gain); low <= 1 {
		return nil, nil // within the noise
	}
	first := *single[0]
	if len(s.Compiler) > 0 {
		if err := s.gained(&first, false); err != nil {
			return nil, err
		}
	}
	best := &first
	for s.tried < s.Most {
		s.stand, s.onTop = best.after, true
		next, err := s.round(best.Text, best.arrays, (s.Most-s.tried+1)/2, mostOnTop, 0)
		if err != nil {
			return nil, err
		}
		if len(next) == 0 || next[0].saved < best.saved+(1-1/further)*best.left() {
			break
		}
		n := next[0]
		n.kinds = append(slices.Clone(best.kinds), n.kinds...)
		n.Title = best.Title + "; " + n.Title
		n.Conditions = joined(best.Conditions, n.Conditions)
		n.Reorders = n.Reorders || best.Reorders
		n.Line = best.Line
		best = n
	}
	if len(best.kinds) == 1 {
		return nil, nil
	}
	if len(s.Compiler) > 0 {
		if err := s.gained(best, true); err != nil || best.saved < single[0].saved+(1-1/further)*single[0].left() {
			return nil, err
		}
	}
	return best, nil
}
