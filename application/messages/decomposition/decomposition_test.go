package decomposition

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	"foresee/application/messages"
)

// The examples of MPI-4.1, section 8.5.2, and what Open MPI 4.1 answers.
func TestBalancedIsMPIDimsCreate(t *testing.T) {
	for _, c := range []struct {
		ranks int
		want  []int
	}{{6, []int{3, 2}}, {7, []int{7, 1}}, {64, []int{4, 4, 4}}, {24, []int{4, 3, 2}}, {8, []int{4, 2}}, {16, []int{4, 2, 2}}, {128, []int{16, 8}}, {5, []int{5}}} {
		if got := Balanced(c.ranks, len(c.want)); !slices.Equal(got, c.want) {
			t.Errorf("%d ranks: %v, want %v", c.ranks, got, c.want)
		}
	}
}

// call is one with nobody.
func call(name string, bytes int64) messages.Call {
	return messages.Call{
		Name: name, Times: 10, Bytes: 10 * bytes, Wall: 1e-3, CPU: 1e-3, Peer: messages.None, Tag: messages.None,
		Source: messages.None, SourceTag: messages.None, Comm: messages.None, Root: messages.None,
	}
}

// written is a program of ranks on a grid whose loop of ten steps is made by do; communicator 0 is of all.
func written(g Grid, do func(p *messages.Program, rank int) []messages.Node) *messages.Program {
	p := &messages.Program{MPI: "openmpi", Ranks: make([]messages.Rank, g.size())}
	all := make(messages.Members, g.size())
	for r := range all {
		all[r] = r
	}
	p.Comms = []messages.Members{all}
	for r := range p.Ranks {
		p.Ranks[r] = messages.Rank{Nodes: []messages.Node{{Repeats: 10, Body: do(p, r)}}, Host: "h", Processors: 4, Threads: "1"}
	}
	return p
}

// halo exchanges with all boxes around, edges and corners too, in the way of LULESH, and reduces. Ranks at the border have fewer calls.
func halo(g Grid) *messages.Program {
	return written(g, func(_ *messages.Program, rank int) []messages.Node {
		var body []messages.Node
		boxes := 1
		for range g.Dims {
			boxes *= 3
		}
		made := 0
		for _, name := range []string{"Irecv", "Isend"} {
			for n := range boxes {
				to, apart := g.at(rank), 0
				for i, left := len(g.Dims)-1, n; i >= 0; i, left = i-1, left/3 {
					to[i] += left%3 - 1
					if left%3 != 1 {
						apart++
					}
				}
				peer, there := g.rank(to)
				if apart == 0 || !there {
					continue
				}
				c := call(name, int64(40000>>(4*apart)))
				c.Peer, c.Tag, c.Comm = peer, n, 0
				if name == "Irecv" {
					c.Tag = boxes - 1 - n
				}
				body = append(body, messages.Node{Call: c})
				made++
			}
		}
		wait := call("Waitall", 0)
		for age := made; age > 0; age-- {
			wait.Completes = append(wait.Completes, age)
		}
		sum := call("Allreduce", 8)
		sum.Comm = 0
		return append(body, messages.Node{Call: wait}, messages.Node{Call: sum})
	})
}

// wavefront comes from one corner; who lacks a neighbour speaks with nobody.
func wavefront(g Grid) *messages.Program {
	return written(g, func(_ *messages.Program, rank int) (body []messages.Node) {
		for way, name := range []string{"Recv", "Send"} {
			for i := range g.Dims {
				c, to := call(name, 12000), g.at(rank)
				to[i] += 2*way - 1
				c.Peer, c.Tag, c.Comm = messages.Nobody, 3+i, 0
				if peer, there := g.rank(to); there {
					c.Peer = peer
				} else {
					c.Bytes = 0
				}
				body = append(body, messages.Node{Call: c})
			}
		}
		return body
	})
}

// ring passes to the right on a closed line, by Sendrecv.
func ring(g Grid) *messages.Program {
	return written(g, func(_ *messages.Program, rank int) []messages.Node {
		c := call("Sendrecv", 3000)
		c.Peer, _ = g.rank([]int{g.at(rank)[0] + 1})
		c.Source, _ = g.rank([]int{g.at(rank)[0] - 1})
		c.Tag, c.SourceTag, c.Comm = 1, 1, 0
		return []messages.Node{{Call: c}}
	})
}

// shifted passes along an open line, both ways, by Sendrecv: the ends send to, or receive from, nobody, and an end that sends to nobody gives no bytes.
func shifted(g Grid) *messages.Program {
	return written(g, func(_ *messages.Program, rank int) (body []messages.Node) {
		for _, way := range []int{1, -1} {
			c := call("Sendrecv", 3000)
			c.Tag, c.SourceTag, c.Comm, c.Peer, c.Source = 2+way, 2+way, 0, messages.Nobody, messages.Nobody
			if peer, there := g.rank([]int{g.at(rank)[0] + way}); there {
				c.Peer = peer
			} else {
				c.Bytes = 0
			}
			if peer, there := g.rank([]int{g.at(rank)[0] - way}); there {
				c.Source = peer
			}
			body = append(body, messages.Node{Call: c})
		}
		return body
	})
}

// rows broadcasts along rows and columns.
func rows(g Grid) *messages.Program {
	return written(g, func(p *messages.Program, rank int) (body []messages.Node) {
		for _, along := range []int{1, 2} {
			members := g.members(rank, along)
			number := slices.IndexFunc(p.Comms, func(m messages.Members) bool { return slices.Equal(m, members) })
			if number < 0 {
				number = len(p.Comms)
				p.Comms = append(p.Comms, members)
			}
			c := call("Bcast", 3000)
			c.Comm, c.Root = number, 0
			body = append(body, messages.Node{Call: c})
		}
		return body
	})
}

// walls is the time between calls.
func walls(nodes []messages.Node) (sum float64) {
	for i := range nodes {
		sum += nodes[i].Wall + walls(nodes[i].Body)
	}
	return sum
}

func open(dims ...int) Grid { return Grid{Dims: dims, Closed: make([]bool, len(dims))} }

// ordered sorts calls that do not block, next to each other: in which order a rank makes them is not told where two were put together.
func ordered(nodes []messages.Node) []messages.Node {
	out := slices.Clone(nodes)
	for i := 0; i < len(out); i++ {
		j := i
		for j < len(out) && out[j].Body == nil && makesRequest(out[j].Name) {
			j++
		}
		slices.SortFunc(out[i:j], func(a, b messages.Node) int {
			return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Peer, b.Peer), cmp.Compare(a.Tag, b.Tag))
		})
		i = max(i, j-1)
	}
	return out
}

// same says whether two programs are the same, whatever the numbers of their communicators.
func same(a, b *messages.Program) bool {
	var nodes func(x, y []messages.Node) bool
	nodes = func(x, y []messages.Node) bool {
		return slices.EqualFunc(ordered(x), ordered(y), func(m, n messages.Node) bool {
			if m.Body != nil || n.Body != nil {
				return m.Repeats == n.Repeats && nodes(m.Body, n.Body)
			}
			if (m.Comm == messages.None) != (n.Comm == messages.None) || m.Comm != messages.None && !slices.Equal(a.Comms[m.Comm], b.Comms[n.Comm]) {
				return false
			}
			c, d := m.Call, n.Call
			return c.Name == d.Name && c.Bytes == d.Bytes && c.Times == d.Times && c.Peer == d.Peer && c.Tag == d.Tag && c.Source == d.Source &&
				c.SourceTag == d.SourceTag && c.Root == d.Root && slices.Equal(c.Completes, d.Completes)
		})
	}
	return slices.EqualFunc(a.Ranks, b.Ranks, func(x, y messages.Rank) bool { return nodes(x.Nodes, y.Nodes) })
}

// What is carried on is what the program itself does on as many ranks, call by call. Grids of two in a dimension lack the middle.
func TestCarriedOnIsTheProgramItself(t *testing.T) {
	for _, c := range []struct {
		name     string
		program  func(Grid) *messages.Program
		from, to Grid
	}{
		{"halo", halo, open(3, 3), open(8, 8)},
		{"halo without a middle", halo, open(2, 2), open(4, 4)},
		{"halo without a middle in one", halo, open(4, 2), open(8, 8)},
		{"halo of boxes", halo, open(2, 2, 2), open(4, 4, 4)},
		{"halo of boxes, the last the largest", halo, open(2, 3, 4), open(4, 5, 6)},
		{"strips", halo, open(4), open(64)},
		{"wavefront", wavefront, open(4, 2), open(16, 8)},
		{"ring", ring, Grid{[]int{5}, []bool{true}}, Grid{[]int{40}, []bool{true}}},
		{"shifted", shifted, open(8), open(64)},
		{"shifted without a middle", shifted, open(2), open(64)},
		{"rows and columns", rows, open(4, 2), open(8, 8)},
	} {
		pattern, err := Recognise(c.program(c.from))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if pattern.Grid.String() != c.from.String() {
			t.Errorf("%s: the grid is %s, not %s", c.name, pattern.Grid, c.from)
		}
		got, grid, err := pattern.At(c.to.size(), Grows)
		if err != nil || grid.String() != c.to.String() {
			t.Errorf("%s: %s, %v", c.name, grid, err)
			continue
		}
		most := 0.0 // each computes a millisecond before each call
		for r := range pattern.steps {
			most = max(most, computed(pattern.steps[r]))
		}
		for r := range got.Ranks {
			if wall := walls(got.Ranks[r].Nodes); wall > most*(1+1e-9) {
				t.Errorf("%s: rank %d computes %g s, and none did more than %g", c.name, r, wall, most)
			}
		}
		if !same(got, c.program(c.to)) {
			t.Errorf("%s: not what the program does on %s", c.name, c.to)
		}
	}
}

// A task farm has no grid; uneven grids are not carried on; ranks that differ at one place are none of it.
func TestWhatIsRefused(t *testing.T) {
	farm := written(open(8), func(_ *messages.Program, rank int) (body []messages.Node) {
		for other := 1; other < 8; other++ {
			c := call("Send", 100)
			c.Peer, c.Tag, c.Comm = other, 5, 0
			if rank > 0 {
				c.Name, c.Peer = "Recv", 0
			}
			if rank == 0 || other == rank {
				body = append(body, messages.Node{Call: c})
			}
		}
		return body
	})
	odd := halo(open(8))
	odd.Ranks[3].Nodes[0].Body[0].Call.Bytes *= 2
	for name, p := range map[string]*messages.Program{"farm": farm, "odd": odd, "alone": halo(open(1))} {
		if _, err := Recognise(p); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", name, err)
		}
	}
	pattern, err := Recognise(wavefront(open(2, 8)))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := pattern.At(64, Grows); !errors.As(err, new(*GridError)) {
		t.Errorf("a grid of %s: %v", pattern.Grid, err)
	}
}
