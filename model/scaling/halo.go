package scaling

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Halo is the volume of messages of a domain that is split into boxes and exchanges their surfaces: of all factorisations of p
// over the dimensions, the one with the smallest surface, as MPI_Dims_create and most codes choose.
//
//	bytes a process = Σ over dimensions sides·w·(area of the face)
//
// with 2 sides in split dimensions of a periodic domain, and 2·(1 − 1/parts) in the mean of an open one; in units of the domain's
// edge, 1. Codes that exchange dimension after dimension and pass on what they just received (LAMMPS does) send faces wider by 2r in the dimensions before, split or not; r is the width of the halo. Both are fitted.
type Halo struct {
	Dimensions int     // 1 to 3
	Border     Border  // what happens at the domain's ends, and where it is not split
	Weight     float64 // w: bytes of a whole face of the domain
	Width      float64 // r: width of the halo in edges of the domain; 0 where only faces travel
	Residual   float64 // largest relative error at the fitted points
}

// Border is what boxes exchange at the ends of the domain, and in dimensions that are not split.
type Border string

// Borders that codes have.
const (
	Periodic Border = "periodic"                    // both sides, but nothing in dimensions that are not split
	Open     Border = "open"                        // nothing at the ends: values are means over the boxes
	Always   Border = "periodic, also with itself," // both sides in every dimension
)

// haloWidths is the number of steps of the grid on which the width is looked for before it is refined, widestHalo its end, as a share of the
// domain's edge. Chosen: wider halos would be another law.
const (
	haloWidths = 64
	widestHalo = 0.25
)

// closest is the most that the number of messages may be off, as a share, for a decomposition to be believed. Chosen.
const closest = 0.05

// ErrNoHalo is what FitHalo returns where the measurements do not tell a decomposition.
var ErrNoHalo = errors.New("the messages do not follow the surface of boxes, or do not tell which")

// FitHalo finds the decomposition that meets bytes a process at numbers of processes. messages a process, where known (else nil),
// tell the number of dimensions: 1, 2, 3 on 2, 4, 8 processes are three. It needs three points with more than one process, and four without the
// messages: three are met by the surface and the width of a halo in any number of dimensions. Where several decompositions meet them
// alike, none is told.
func FitHalo(processes, bytes, messages []float64) (*Halo, error) {
	least := 3
	if messages == nil {
		least = 4
	}
	if len(processes) < least {
		return nil, fmt.Errorf("%w: a halo needs %d runs with more than one process", ErrTooFew, least)
	}
	for i, p := range processes {
		if p < 2 || p != math.Trunc(p) || !(bytes[i] > 0) {
			return nil, fmt.Errorf("a halo needs whole numbers of processes from 2 up, and bytes; this is p=%g, %g bytes", p, bytes[i])
		}
	}
	var all []*Halo
	for dimensions := 3; dimensions >= 1; dimensions-- {
		for _, border := range []Border{Periodic, Open, Always} {
			h := &Halo{Dimensions: dimensions, Border: border, Residual: math.Inf(1)}
			h.fit(processes, bytes)
			if h.messageError(processes, messages) <= closest {
				all = append(all, h)
			}
		}
	}
	if len(all) == 0 {
		return nil, ErrNoHalo
	}
	slices.SortStableFunc(all, func(a, b *Halo) int { return cmp.Compare(a.Residual, b.Residual) })
	if messages == nil && len(all) > 1 && all[1].Residual < 0.01 && all[1].Residual < 3*all[0].Residual {
		return nil, ErrNoHalo
	}
	return all[0], nil
}

// messageError is the largest relative error of the number of messages, the number a neighbour fitted; 0 where unknown.
func (h *Halo) messageError(processes, messages []float64) float64 {
	if messages == nil {
		return 0
	}
	var s1, s2 float64
	for i, p := range processes {
		f := h.Messages(p) / messages[i]
		s1, s2 = s1+f, s2+f*f
	}
	worst := 0.0
	for i, p := range processes {
		worst = max(worst, Error(h.Messages(p)*s1/s2, messages[i]))
	}
	return worst
}

// fit finds the width that meets the bytes best: on the grid, and then by halving steps.
func (h *Halo) fit(processes, bytes []float64) {
	step := widestHalo / haloWidths
	for i := range haloWidths + 1 {
		h.try(float64(i)*step, processes, bytes)
	}
	for ; step > 1e-9; step /= 2 {
		centre := h.Width
		if centre+step <= widestHalo {
			h.try(centre+step, processes, bytes)
		}
		if centre > step {
			h.try(centre-step, processes, bytes)
		}
	}
}

// try keeps a width where it meets the points better. The weight follows from the least relative squares.
func (h *Halo) try(width float64, processes, bytes []float64) {
	one := Halo{Dimensions: h.Dimensions, Border: h.Border, Weight: 1, Width: width}
	var s1, s2 float64
	for i, p := range processes {
		f := one.Bytes(p) / bytes[i]
		s1, s2 = s1+f, s2+f*f
	}
	one.Weight = s1 / s2
	for i, p := range processes {
		one.Residual = max(one.Residual, Error(one.Bytes(p), bytes[i]))
	}
	if one.Residual < h.Residual {
		*h = one
	}
}

// Bytes sent by a process on average.
func (h *Halo) Bytes(p float64) float64 {
	split := Decompose(int(math.Round(p)), h.Dimensions)
	total := 0.0
	for i := range split {
		face := 1.0
		for j := range split {
			if j == i {
				continue
			}
			edge := 1 / float64(split[j])
			if j < i {
				edge += 2 * h.Width
			}
			face *= edge
		}
		total += h.sides(split[i]) * face
	}
	return h.Weight * total
}

// sides is how many neighbours a box has along a dimension in so many parts, in the mean; both sides of a periodic one in two parts are one process.
func (h *Halo) sides(parts int) float64 {
	switch {
	case h.Border == Always:
		return 2
	case parts == 1:
		return 0
	case h.Border == Open:
		return 2 - 2/float64(parts)
	}
	return 2
}

// Messages is the number of messages that a process sends in one exchange, one to each side of each split dimension.
func (h *Halo) Messages(p float64) float64 {
	n := 0.0
	for _, parts := range Decompose(int(math.Round(p)), h.Dimensions) {
		n += h.sides(parts)
	}
	return n
}

// Formula is the decomposition in words.
func (h *Halo) Formula() string {
	return fmt.Sprintf("surface of boxes in %d %s dimensions, %.4g bytes a face, halo %.3g edges wide", h.Dimensions, h.Border, h.Weight, h.Width)
}

// At takes p alone.
func (h *Halo) At(at []float64) Prediction { return point(h.Bytes(at[0])) }

// Decompose splits p over up to three dimensions of a cube so that a box has the smallest surface; the first dimensions get the
// fewest parts, as in LAMMPS. p below 1 is taken as 1.
func Decompose(p, dimensions int) []int {
	p = max(p, 1)
	switch dimensions {
	case 1:
		return []int{p}
	case 2:
		return smallestPair(p)
	}
	var best []int
	smallest := math.Inf(1)
	for a := 1; a*a*a <= p; a++ {
		if p%a != 0 {
			continue
		}
		rest := p / a
		for b := a; b*b <= rest; b++ {
			if rest%b != 0 {
				continue
			}
			c := rest / b
			if s := surface(a, b, c); s < smallest {
				smallest, best = s, []int{a, b, c}
			}
		}
	}
	return best
}

// smallestPair splits p into two factors that are as near to one another as can be, the smaller first.
func smallestPair(p int) []int {
	a := 1
	for i := 1; i*i <= p; i++ {
		if p%i == 0 {
			a = i
		}
	}
	return []int{a, p / a}
}

func surface(a, b, c int) float64 {
	x, y, z := 1/float64(a), 1/float64(b), 1/float64(c)
	return x*y + y*z + z*x
}
