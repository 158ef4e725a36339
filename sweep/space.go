// Package sweep predicts a design space: a program at many sizes, on many machines and changes of machines, with many numbers of threads.
//
// A Plan is a space with all that its predictions depend on. It is done in units, each of one size of the program on a block of machines
// with all numbers of threads, so that a size is analysed once for many points. What a unit gives is kept in a Store under a digest of all
// that it depends on: a unit that is there is not done again, whoever did it. So a sweep that was interrupted goes on where it was, and units
// may be done in any order, twice, and by any process that sees the folder: Local does them here, package slurm as a job array.
package sweep

import (
	"fmt"
	"math"
)

// Axis is one dimension of a design space.
type Axis struct {
	Name   string   `json:"name"`   // a parameter of the source, "machine", a field of machine files such as L3.size, or "threads"
	Values []string `json:"values"` // as they were given
}

// Names of axes that every space has.
const (
	MachineAxis = "machine"
	ThreadsAxis = "threads"
)

// Space are the axes of a design space. Its points are all combinations, in the order in which the last axis changes first.
type Space []Axis

// MostPoints bounds a space. Chosen: a million predictions take some hours on a hundred cores, and their rows some 300 MiB.
const MostPoints = 1_000_000

// SizeError is a space of too many points.
type SizeError struct{ Points float64 }

func (e *SizeError) Error() string {
	return fmt.Sprintf("%.4g points; a sweep has at most %d: take fewer values on its axes", e.Points, MostPoints)
}

// Points is how many combinations there are.
func (s Space) Points() (int, error) {
	n := 1.0
	for _, a := range s {
		n *= float64(len(a.Values))
	}
	if n > MostPoints {
		return 0, &SizeError{n}
	}
	return int(math.Round(n)), nil
}

// At are the values at a point, one of each axis.
func (s Space) At(point int) []string {
	out := make([]string, len(s))
	for i := len(s) - 1; i >= 0; i-- {
		n := len(s[i].Values)
		out[i], point = s[i].Values[point%n], point/n
	}
	return out
}

// index is the position of an axis, -1 where there is none of that name.
func (s Space) index(name string) int {
	for i, a := range s {
		if a.Name == name {
			return i
		}
	}
	return -1
}
