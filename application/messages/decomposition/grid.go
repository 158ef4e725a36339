package decomposition

import (
	"slices"
	"strconv"
	"strings"
)

// mostDimensions of a grid.
const mostDimensions = 3

// Grid is the ranks in a box, the last dimension fastest.
type Grid struct {
	Dims   []int
	Closed []bool // the two ends of a dimension are neighbours
}

// String is 4x2, with o behind a dimension that is closed.
func (g Grid) String() string {
	var parts []string
	for i, d := range g.Dims {
		text := strconv.Itoa(d)
		if g.Closed[i] {
			text += "o"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "x")
}

// size is how many ranks there are.
func (g Grid) size() int {
	n := 1
	for _, d := range g.Dims {
		n *= d
	}
	return n
}

// at is the coordinates of a rank.
func (g Grid) at(rank int) []int {
	out := make([]int, len(g.Dims))
	for i := len(g.Dims) - 1; i >= 0; i-- {
		out[i], rank = rank%g.Dims[i], rank/g.Dims[i]
	}
	return out
}

// rank is the one at coordinates; false outside.
func (g Grid) rank(at []int) (int, bool) {
	r := 0
	for i, c := range at {
		if g.Closed[i] {
			c = (c%g.Dims[i] + g.Dims[i]) % g.Dims[i]
		}
		if c < 0 || c >= g.Dims[i] {
			return 0, false
		}
		r = r*g.Dims[i] + c
	}
	return r, true
}

// Places of a rank in a dimension.
const (
	low    = 'l'
	middle = 'm'
	high   = 'h'
	alone  = 'a'
)

// place is where a rank is in each dimension.
func (g Grid) place(rank int) string {
	out := make([]byte, len(g.Dims))
	for i, c := range g.at(rank) {
		switch {
		case g.Dims[i] == 1:
			out[i] = alone
		case g.Closed[i] || c > 0 && c < g.Dims[i]-1:
			out[i] = middle
		case c == 0:
			out[i] = low
		default:
			out[i] = high
		}
	}
	return string(out)
}

// Balanced divides ranks over dimensions as MPI_Dims_create does in Open MPI and MPICH: as evenly as whole numbers allow, the largest first.
func Balanced(ranks, dimensions int) []int {
	best := []int{}
	var try func(rest, left, most int, dims []int)
	try = func(rest, left, most int, dims []int) {
		if left == 1 {
			if rest <= most {
				if full := append(slices.Clone(dims), rest); len(best) == 0 || slices.Compare(full, best) < 0 {
					best = full
				}
			}
			return
		}
		for d := 1; d <= min(rest, most); d++ {
			if rest%d == 0 {
				try(rest/d, left-1, d, append(dims, d))
			}
		}
	}
	try(ranks, dimensions, ranks, nil)
	return best
}

// grids are all that ranks may form, those of few dimensions first, each dimension divided.
func grids(ranks int) (out []Grid) {
	for dimensions := 1; dimensions <= mostDimensions; dimensions++ {
		var try func(rest int, dims []int)
		try = func(rest int, dims []int) {
			if len(dims) == dimensions-1 {
				if rest > 1 || dimensions == 1 {
					full := append(slices.Clone(dims), rest)
					out = append(out, Grid{Dims: full, Closed: make([]bool, dimensions)})
				}
				return
			}
			for d := 2; d <= rest/2; d++ {
				if rest%d == 0 {
					try(rest/d, append(dims, d))
				}
			}
		}
		try(ranks, nil)
	}
	return out
}

// larger is the grid of more ranks that is divided as this one is, and whether it is known: where the dimensions are those of MPI_Dims_create, or of
// it turned round.
func (g Grid) larger(ranks int) (Grid, bool) {
	k := len(g.Dims)
	usual, out := Balanced(g.size(), k), Grid{Dims: Balanced(ranks, k), Closed: g.Closed}
	switch turned := reversed(usual); {
	case slices.Equal(g.Dims, usual):
		return out, true
	case slices.Equal(g.Dims, turned):
		out.Dims = reversed(out.Dims)
		return out, true
	}
	return Grid{}, false
}

func reversed(v []int) []int {
	out := slices.Clone(v)
	slices.Reverse(out)
	return out
}
