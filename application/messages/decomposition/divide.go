package decomposition

import (
	"math"
	"strings"

	"foresee/application/messages"
)

// divided is how the boxes of other ranks compare with those that were recorded.
type divided struct {
	extents []float64 // by what the extent of a box changes in each dimension: where the problem stays, 2 → 4 ranks halve it
	pairs   []float64 // by what the ranks along each dimension grow, where messages between two of them stay as they are; nil: elsewhere
}

// dividedAs compares the boxes of two grids.
func dividedAs(was, is Grid, problem Problem) (out divided) {
	for i := range is.Dims {
		more := float64(is.Dims[i]) / float64(was.Dims[i])
		extent := 1.0
		switch problem {
		case Stays:
			extent = 1 / more
		case PairsStay:
			out.pairs = append(out.pairs, more)
		}
		out.extents = append(out.extents, extent)
	}
	return out
}

// all is by what the volume of a box changes, and with it what a rank computes.
func (d divided) all() float64 {
	volume := 1.0
	for _, part := range d.extents {
		volume *= part
	}
	return volume
}

// face is by what the face changes over which boxes at an offset touch: its extent along the dimensions that they share.
func (d divided) face(o offset) float64 {
	area := 1.0
	for i, part := range d.extents {
		if o.boxes[i] == 0 {
			area *= part
		}
	}
	return area
}

// numbers is up to how many bytes a collective is of numbers, such as norms and time steps, which stay, and not of a rank's data. Chosen: eight
// double-precision numbers.
const numbers = 64

// call is a step's call with the computing before it and the bytes that are left. Messages between neighbours are of faces; what a rank gives to or gathers
// from others, or spreads along some of the dimensions, is a part of its box; what all ranks broadcast or sum up is as large for any number of them.
func (d divided) call(s *step) messages.Call {
	c := s.call
	volume, part := d.all(), 1.0
	c.Wall, c.CPU, c.Median = c.Wall*volume, c.CPU*volume, c.Median*volume
	name := strings.ToLower(c.Name)
	switch {
	case d.pairs != nil && s.comm != noComm && strings.Contains(name, "alltoall"):
		for i, more := range d.pairs {
			if s.comm&(1<<i) != 0 {
				part *= more
			}
		}
	case s.comm != noComm && c.Peer == messages.None && (strings.Contains(name, "alltoall") || c.EachBytes() > numbers && (gathers(name) || s.comm != 1<<len(d.extents)-1)):
		part = volume
	case s.to.special == 0 && c.Peer != messages.None:
		part = d.face(s.to)
	case s.from.special == 0 && c.Source != messages.None:
		part = d.face(s.from)
	}
	c.Bytes = int64(math.Round(float64(c.Bytes) * part))
	return c
}

// gathers says whether a collective puts the parts of ranks together, or deals them out.
func gathers(name string) bool {
	return strings.Contains(name, "gather") || strings.Contains(name, "scatter")
}
