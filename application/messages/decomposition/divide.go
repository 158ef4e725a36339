package decomposition

import (
	"math"
	"strings"

	"foresee/application/messages"
)

// divided is by what the extent of a rank's box changes in each dimension where the problem stays as it is on other ranks: 2 → 4 ranks halve it.
type divided []float64

// dividedAs compares the boxes of two grids.
func dividedAs(was, is Grid, problem Problem) divided {
	out := make(divided, len(is.Dims))
	for i := range out {
		out[i] = 1
		if problem == Stays {
			out[i] = float64(was.Dims[i]) / float64(is.Dims[i])
		}
	}
	return out
}

// all is by what the volume of a box changes, and with it what a rank computes.
func (d divided) all() float64 {
	volume := 1.0
	for _, part := range d {
		volume *= part
	}
	return volume
}

// face is by what the face changes over which boxes at an offset touch: its extent along the dimensions that they share.
func (d divided) face(o offset) float64 {
	area := 1.0
	for i, part := range d {
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
	case s.comm != noComm && c.Peer == messages.None && (strings.Contains(name, "alltoall") || c.EachBytes() > numbers && (gathers(name) || s.comm != 1<<len(d)-1)):
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
