package decomposition

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"foresee/application/messages"
)

// ErrNone is what Recognise returns for a program whose ranks form no grid: each has peers of its own, or two at the same place do different things.
var ErrNone = errors.New("no decomposition is recognised in the messages: peers are no neighbours on any grid of the ranks, or ranks at the same place of it do different things, as in a task farm")

// Pattern is a recorded program on the grid of its ranks.
type Pattern struct {
	Grid     Grid
	recorded *messages.Program
	steps    [][]step         // of each rank
	places   map[string][]int // ranks at each place
}

// Recognise finds the grid of a program's ranks: the first, of few dimensions before many, on which all ranks at one place do the same with neighbours.
func Recognise(p *messages.Program) (*Pattern, error) {
	if len(p.Ranks) < 2 {
		return nil, fmt.Errorf("%w; %d rank tells none", ErrNone, len(p.Ranks))
	}
	for _, g := range grids(len(p.Ranks)) {
		if found := on(p, g); found != nil {
			return found, nil
		}
	}
	return nil, ErrNone
}

// on is the pattern on a grid, nil where the ranks do not fit it.
func on(p *messages.Program, g Grid) *Pattern {
	s := &shape{grid: Grid{Dims: g.Dims, Closed: make([]bool, len(g.Dims))}, recorded: p}
	s.places()
	out := &Pattern{recorded: p, places: map[string][]int{}}
	for rank := range p.Ranks {
		steps, ok := s.template(rank)
		if !ok {
			return nil
		}
		out.steps = append(out.steps, steps)
	}
	out.Grid = s.grid
	for rank := range p.Ranks {
		place := s.grid.place(rank)
		if others := out.places[place]; len(others) > 0 && !alike(out.steps[others[0]], out.steps[rank]) {
			return nil
		}
		out.places[place] = append(out.places[place], rank)
	}
	if !out.uniform() {
		return nil
	}
	return out
}

// GridError says that it is not known how more ranks would be divided.
type GridError struct {
	Grid  Grid
	Ranks int
}

func (e *GridError) Error() string {
	return fmt.Sprintf("the %d ranks form a grid of %s, which is not how MPI_Dims_create divides them, so that it is not known how %d ranks would be; record on a number of ranks that is divided evenly", e.Grid.size(), e.Grid, e.Ranks)
}

// Problem says what becomes of the problem on another number of ranks.
type Problem int

const (
	Grows     Problem = iota // each rank does what one at its place did: as many bytes, and as much computing
	PairsStay                // as where it grows, but what a rank gives to each of all others stays, not what it gives to all together
	Stays                    // all ranks together do as much: each computes its part of it, and what it sends is the part of the faces and of the data that it then has
)

// String is the word for it.
func (p Problem) String() string {
	if p == Stays {
		return "stays"
	}
	return "grows" // whatever becomes of what is exchanged all to all
}

// At is the program on another number of ranks.
func (p *Pattern) At(ranks int, problem Problem) (*messages.Program, Grid, error) {
	g, ok := p.Grid.larger(ranks)
	if !ok {
		return nil, g, &GridError{p.Grid, ranks}
	}
	w := &writer{
		pattern: p, grid: g, out: &messages.Program{MPI: p.recorded.MPI, Ranks: make([]messages.Rank, ranks), Warnings: slices.Clone(p.recorded.Warnings)},
		comms: map[[3]int]int{}, merged: map[string][]step{}, met: map[string]int{}, divided: dividedAs(p.Grid, g, problem),
	}
	for i, d := range p.Grid.Dims {
		if d == 2 && g.Dims[i] > 2 && p.neighbours(i) {
			w.out.Warnings = append(w.out.Warnings, fmt.Sprintf("dimension %d of the grid %s is divided in two, which does not tell whether its ends are neighbours; it is taken as open", i+1, p.Grid))
		}
	}
	if p.Spreads() && problem == Grows {
		w.out.Warnings = append(w.out.Warnings, "what a rank gives to all others together stays as it was, so that each message between two of them is smaller; where messages stay as large, there is more to send, as at the end of the interval")
	}
	for rank := range ranks {
		if err := w.rank(rank); err != nil {
			return nil, g, err
		}
	}
	return w.out, g, nil
}

// Spreads says whether ranks give parts of their data to all others.
func (p *Pattern) Spreads() bool {
	var among func(steps []step) bool
	among = func(steps []step) bool {
		return slices.ContainsFunc(steps, func(s step) bool { return among(s.body) || strings.Contains(strings.ToLower(s.call.Name), "alltoall") })
	}
	return slices.ContainsFunc(p.steps, among)
}

// neighbours says whether messages go along a dimension.
func (p *Pattern) neighbours(dimension int) bool {
	var along func(steps []step) bool
	along = func(steps []step) bool {
		return slices.ContainsFunc(steps, func(s step) bool {
			return along(s.body) || s.to.boxes[dimension] != 0 || s.from.boxes[dimension] != 0
		})
	}
	return slices.ContainsFunc(p.steps, along)
}
