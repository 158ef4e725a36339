package scaling

import (
	"fmt"
	"math"
)

// Domain is a count of a process whose domain is split into boxes: a·(own part) + b·(ghost shell) + c·(what it sends) + d, with the boxes and
// the width of the halo found from its messages. Functions that pack, unpack and bin the halo follow the shape of the boxes, which no
// smooth function of p does: 2 processes halve a cube into slabs, 8 into cubes.
type Domain struct {
	Halo                        *Halo
	Own, Ghosts, Sent, Constant float64
	Residual                    float64 // largest relative error at the fitted points
}

// FitDomain fits by non-negative least relative squares, once with the ghost shell and once with what is sent, and takes the better. It needs
// two points more than coefficients above zero: fewer are met by any smooth law.
func FitDomain(h *Halo, processes, y []float64) (*Domain, error) {
	if len(processes) < 4 {
		return nil, fmt.Errorf("%w: a count of a decomposed domain needs four", ErrTooFew)
	}
	var best *Domain
	for kind, surface := range []func(p float64) float64{h.ghosts, h.sent} {
		rows := make([][]float64, len(y))
		for i, p := range processes {
			rows[i] = []float64{1 / p, surface(p), 1}
		}
		x, err := relativeNonNegative(rows, y)
		if err != nil {
			return nil, err
		}
		used := 0
		for _, v := range x {
			if v > 0 {
				used++
			}
		}
		if len(y) < used+2 {
			continue // it would meet any smooth law
		}
		d := &Domain{Halo: h, Own: x[0], Constant: x[2]}
		if kind == 0 {
			d.Ghosts = x[1]
		} else {
			d.Sent = x[1]
		}
		for i, p := range processes {
			d.Residual = max(d.Residual, Error(d.At([]float64{p}).Value, y[i]))
		}
		if best == nil || d.Residual < best.Residual*0.9 {
			best = d
		}
	}
	if best == nil {
		return nil, fmt.Errorf("%w: two more than coefficients", ErrTooFew)
	}
	return best, nil
}

// edges of a process's box, in edges of the domain.
func (h *Halo) edges(p float64) []float64 {
	split := Decompose(int(math.Round(p)), h.Dimensions)
	out := make([]float64, len(split))
	for i, n := range split {
		out[i] = 1 / float64(n)
	}
	return out
}

// ghosts is the volume around a box within the width of the halo, corners included. A periodic domain has it in dimensions that are not
// split as well.
func (h *Halo) ghosts(p float64) float64 {
	inner, outer := 1.0, 1.0
	for _, edge := range h.edges(p) {
		inner *= edge
		outer *= edge + 2*h.Width
	}
	return outer - inner
}

// sent is what a process gives its neighbours, in units of the weight.
func (h *Halo) sent(p float64) float64 {
	unit := *h
	unit.Weight = 1
	return unit.Bytes(p)
}

// At takes p alone.
func (d *Domain) At(at []float64) Prediction {
	p := at[0]
	return point(d.Own/p + d.Ghosts*d.Halo.ghosts(p) + d.Sent*d.Halo.sent(p) + d.Constant)
}

// Formula is the count in words.
func (d *Domain) Formula() string {
	out := fmt.Sprintf("%.4g/p", d.Own)
	if d.Ghosts > 0 {
		out += fmt.Sprintf(" + %.4g · ghost shell", d.Ghosts)
	}
	if d.Sent > 0 {
		out += fmt.Sprintf(" + %.4g · surface sent", d.Sent)
	}
	if d.Constant > 0 {
		out += fmt.Sprintf(" + %.4g", d.Constant)
	}
	return out
}

// Neighbours is a number of messages that follows the neighbours of a box.
type Neighbours struct {
	Halo     *Halo
	Each     float64 // messages for each side of each split dimension
	Residual float64
}

// FitNeighbours fits numbers of messages of processes, more than one, to the number of sides that a box exchanges.
func FitNeighbours(h *Halo, processes, messages []float64) *Neighbours {
	n := &Neighbours{Halo: h}
	var s1, s2 float64
	for i, p := range processes {
		f := h.Messages(p) / messages[i]
		s1, s2 = s1+f, s2+f*f
	}
	n.Each = s1 / s2
	for i, p := range processes {
		n.Residual = max(n.Residual, Error(n.At([]float64{p}).Value, messages[i]))
	}
	return n
}

// At takes p alone.
func (n *Neighbours) At(at []float64) Prediction { return point(n.Each * n.Halo.Messages(at[0])) }

// Formula is the number in words.
func (n *Neighbours) Formula() string {
	return fmt.Sprintf("%.4g for each side of a box in %d dimensions", n.Each, n.Halo.Dimensions)
}
