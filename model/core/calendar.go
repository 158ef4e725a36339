package core

import "math"

// calendarCycles is how far apart the earliest and the latest cycle may be in which something is used: a power of two, more than the
// longest wait for memory times the instructions in flight that wait one after the other. Chosen.
const calendarCycles = 1 << 14

// calendarRow is the room for the resources of a cycle: a power of two above their number, so that a cycle lies in one line of a cache.
const calendarRow = 16

// lines is the way of lines into L1, used like a resource.
const lines = Resources

// calendar is how much of each resource is used in each cycle.
type calendar struct {
	used  [calendarCycles][calendarRow]float32
	first int64 // earlier cycles are over
}

// fullCycle is how much of a cycle may be used: rounding must not keep the last from fitting.
const fullCycle = 1.0001

// advance forgets what lies far before a cycle.
func (c *calendar) advance(now int64) {
	limit := now - calendarCycles/2
	if limit-c.first > calendarCycles { // nothing is left
		clear(c.used[:])
		c.first = limit
	}
	for ; c.first < limit; c.first++ {
		c.used[c.first&(calendarCycles-1)] = [calendarRow]float32{}
	}
}

// fits says whether so much of a resource can be had in a cycle.
func (c *calendar) fits(r Resource, cycle int64, use float64) bool {
	return float64(c.used[cycle&(calendarCycles-1)][r])+math.Min(use, 1) <= fullCycle
}

// take finds the first cycle from ready on in which all that is needed can be had, and takes it. What needs more than a cycle takes what is
// left of the cycles from its first on, with gaps where others were first: units begin what is ready, so that no holes stay which are too
// short for the next.
func (c *calendar) take(ready float64, uses *[Resources]float64, which []Resource) float64 {
	cycle := max(int64(math.Ceil(ready-1e-9)), c.first)
	last := c.first + calendarCycles - 64
search:
	for ; cycle < last; cycle++ {
		for _, r := range which {
			if uses[r] <= 1 && !c.fits(r, cycle, uses[r]) {
				continue search
			}
		}
		break
	}
	begun := float64(cycle)
	for _, r := range which {
		begun = max(begun, c.mark(r, cycle, last, uses[r]))
	}
	return begun
}

// line finds the time at which a line can begin to come from a level, so many cycles after another, and takes it.
func (c *calendar) line(ready, cycles float64) float64 {
	cycle := max(int64(math.Ceil(ready-1e-9)), c.first)
	last := c.first + calendarCycles - 64
	if cycles <= 1 {
		for cycle < last && !c.fits(lines, cycle, cycles) {
			cycle++
		}
	}
	return max(ready, c.mark(lines, cycle, last, cycles))
}

// mark takes a resource from a cycle on, and gives the time at which it would have begun without gaps.
func (c *calendar) mark(r Resource, cycle, last int64, use float64) float64 {
	if use <= 1 {
		c.used[cycle&(calendarCycles-1)][r] += float32(use)
		return float64(cycle)
	}
	left := use
	for ; left > 1e-6 && cycle < last; cycle++ {
		u := &c.used[cycle&(calendarCycles-1)][r]
		if part := math.Min(left, 1-float64(*u)); part > 0 {
			*u += float32(part)
			left -= part
			if left <= 1e-6 {
				return float64(cycle) + float64(*u) - use
			}
		}
	}
	return float64(last)
}
