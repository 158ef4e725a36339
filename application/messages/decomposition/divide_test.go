package decomposition

import (
	"math"
	"testing"

	"foresee/application/messages"
)

// ofBox gives the messages of a halo the sizes of a box of so many cells in each dimension that is dealt to the grid, and makes each rank compute a
// nanosecond a cell before each call.
func ofBox(p *messages.Program, g Grid, cells []int) *messages.Program {
	volume := 1
	for i, n := range cells {
		volume *= n / g.Dims[i]
	}
	for rank := range p.Ranks {
		body := p.Ranks[rank].Nodes[0].Body
		for k := range body {
			c := &body[k].Call
			c.Wall, c.CPU = float64(volume)*1e-9, float64(volume)*1e-9
			if c.Peer == messages.None {
				continue
			}
			here, there, face := g.at(rank), g.at(c.Peer), 8
			for i, n := range cells {
				if here[i] == there[i] {
					face *= n / g.Dims[i]
				}
			}
			c.Bytes = 10 * int64(face)
		}
	}
	return p
}

// Where the problem stays, what is carried on is what a program of the same box does on as many ranks: its faces, edges, corners and cells.
func TestProblemStays(t *testing.T) {
	for _, c := range []struct {
		cells    []int
		from, to Grid
	}{
		{[]int{960, 960}, open(3, 3), open(8, 8)},
		{[]int{960, 960}, open(4, 2), open(8, 8)},
		{[]int{960, 960}, open(8, 8), open(4, 4)},
		{[]int{240, 240, 240}, open(2, 2, 2), open(4, 4, 4)},
		{[]int{120, 120, 120}, open(2, 3, 4), open(4, 5, 6)},
		{[]int{6400}, open(4), open(64)},
	} {
		pattern, err := Recognise(ofBox(halo(c.from), c.from, c.cells))
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := pattern.At(c.to.size(), Stays)
		if err != nil {
			t.Errorf("%s: %v", c.from, err)
			continue
		}
		want := ofBox(halo(c.to), c.to, c.cells)
		if !same(got, want) {
			t.Errorf("%s to %s: not what the program does", c.from, c.to)
		}
		if a, b := got.Ranks[0].Nodes[0].Body[0].Wall, want.Ranks[0].Nodes[0].Body[0].Wall; math.Abs(a/b-1) > 1e-9 { // a corner is one on every grid
			t.Errorf("%s to %s: computes %g s before a call, want %g", c.from, c.to, a, b)
		}
	}
}

// TestDividedCollectives: a matrix of blocks along rows and columns, a transpose, and what all ranks sum up.
func TestDividedCollectives(t *testing.T) {
	d := dividedAs(open(4, 2), open(8, 4), Stays)
	on := func(name string, bytes int64, comm int) *step {
		c := call(name, bytes)
		return &step{call: c, to: offset{special: messages.None}, from: offset{special: messages.None}, comm: comm}
	}
	for _, c := range []struct {
		s    *step
		want int64 // of 8000 or 8 bytes
	}{
		{on("Bcast", 8000, 1), 2000}, // a block along a row
		{on("Bcast", 8000, 3), 8000}, // to all
		{on("Alltoall", 8000, 3), 2000},
		{on("Allgather", 8000, 3), 2000},
		{on("Allgather", 8, 3), 8},
		{on("Allreduce", 8000, 3), 8000},
		{on("Allreduce", 8, 1), 8},
	} {
		got := d.call(c.s)
		if got.EachBytes() != c.want || math.Abs(got.Wall-c.s.call.Wall/4) > 1e-15 {
			t.Errorf("%s of %d along %b: %d bytes, want %d", c.s.call.Name, c.s.call.EachBytes(), c.s.comm, got.EachBytes(), c.want)
		}
	}
}
