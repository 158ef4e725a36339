package core

import "math"

// calendarCycles is how far apart the earliest and the latest cycle may be in which something is used: a power of two, more than the
// longest wait for memory times the instructions in flight that wait one after the other. Chosen.
const calendarCycles = 1 << 14

// calendar is how much of each resource is used in each cycle.
type calendar struct {
	used  [Resources][calendarCycles]float32
	first int64 // earlier cycles are over
}

// fullCycle is how much of a cycle may be used: rounding must not keep the last from fitting.
const fullCycle = 1.0001

// advance forgets what lies far before a cycle.
func (c *calendar) advance(now int64) {
	limit := now - calendarCycles/2
	if limit-c.first > calendarCycles { // nothing is left
		c.used, c.first = [Resources][calendarCycles]float32{}, limit
	}
	for ; c.first < limit; c.first++ {
		for r := range c.used {
			c.used[r][c.first&(calendarCycles-1)] = 0
		}
	}
}

// fits says whether a resource can be had from a cycle on, for so long.
func (c *calendar) fits(r Resource, cycle int64, use float64) bool {
	for ; use > 1e-6; cycle, use = cycle+1, use-1 {
		if float64(c.used[r][cycle&(calendarCycles-1)])+math.Min(use, 1) > fullCycle {
			return false
		}
	}
	return true
}

// take finds the first cycle from ready on in which all that is needed can be had, and takes it.
func (c *calendar) take(ready float64, uses *[Resources]float64, which []Resource) float64 {
	cycle := max(int64(math.Ceil(ready-1e-9)), c.first)
	last := c.first + calendarCycles - 64
search:
	for ; cycle < last; cycle++ {
		for _, r := range which {
			if !c.fits(r, cycle, uses[r]) {
				continue search
			}
		}
		break
	}
	for _, r := range which {
		at := cycle
		for use := uses[r]; use > 1e-6; at, use = at+1, use-1 {
			c.used[r][at&(calendarCycles-1)] += float32(math.Min(use, 1))
		}
	}
	return float64(cycle)
}

// queue is a buffer of instructions that wait: the one that leaves it first makes room for the next.
type queue struct {
	size  int
	leave []float64 // when those in it leave, as a heap
}

// room is when there is room for one more.
func (q *queue) room() float64 {
	if len(q.leave) < q.size {
		return 0
	}
	return q.leave[0]
}

// add takes one in that leaves at a time; the one that leaves first goes, where there are too many.
func (q *queue) add(t float64) {
	h := q.leave
	if len(h) < q.size {
		h = append(h, t)
		i := len(h) - 1
		for i > 0 && h[(i-1)/2] > t {
			h[i] = h[(i-1)/2]
			i = (i - 1) / 2
		}
		h[i], q.leave = t, h
		return
	}
	if t <= h[0] {
		return
	}
	i := 0
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1] < h[c] {
			c++
		}
		if h[c] >= t {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = t
}
