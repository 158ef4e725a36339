package collective

import (
	"fmt"
	"testing"
)

// group runs the schedules of all ranks of a collective and follows who can know whose contribution: a message carries all that its sender
// knows when it sends. It knows nothing of the algorithms.
type group struct {
	ranks      []member
	rendezvous bool // a send ends when it is received; else at once
}

// member is a rank. Messages and receives that wait for their counterpart are held by the one who receives.
type member struct {
	schedule Schedule
	at       int
	posted   bool // what the step at sends and receives is under way
	open     int  // sends and receives that have not ended
	known    []bool
	arrived  map[int][]message // by who sent
	expected map[int]int       // receives, by whom they are from
}

type message struct {
	from  int
	known []bool
	held  bool // its sender waits for it
}

func newGroup(library Library, c Call, rendezvous bool) *group {
	g := &group{make([]member, c.Size), rendezvous}
	for r := range g.ranks {
		c.Rank = r
		g.ranks[r] = member{schedule: New(library, c), known: make([]bool, c.Size), arrived: map[int][]message{}, expected: map[int]int{}}
		g.ranks[r].known[r] = true
	}
	return g
}

// run goes on until no rank can, and says why where they are not at their ends.
func (g *group) run() error {
	for moved := true; moved; {
		moved = false
		for r := range g.ranks {
			for g.step(r) {
				moved = true
			}
		}
	}
	for r := range g.ranks {
		m := &g.ranks[r]
		if step, more := m.schedule.At(m.at); more {
			return fmt.Errorf("rank %d waits for ever in step %d: %+v", r, m.at, step)
		}
		for from, all := range m.arrived {
			if len(all) > 0 {
				return fmt.Errorf("rank %d never receives what rank %d sent", r, from)
			}
		}
		if m.open > 0 {
			return fmt.Errorf("rank %d ends before its messages", r)
		}
	}
	return nil
}

// step posts the step that a rank stands at, or ends it where it needs to wait for nothing more.
func (g *group) step(r int) bool {
	m := &g.ranks[r]
	s, more := m.schedule.At(m.at)
	if !more {
		return false
	}
	if !m.posted {
		m.posted = true
		g.post(r, s)
		return true
	}
	if s.Waits && m.open > 0 {
		return false
	}
	m.posted = false
	m.at++
	return true
}

func (g *group) post(r int, s Step) {
	if s.Sends {
		to := &g.ranks[s.To]
		to.arrived[r] = append(to.arrived[r], message{r, append([]bool(nil), g.ranks[r].known...), g.rendezvous})
		if g.rendezvous {
			g.ranks[r].open++
		}
		g.match(s.To, r)
	}
	if s.Receives {
		g.ranks[r].expected[s.From]++
		g.ranks[r].open++
		g.match(r, s.From)
	}
}

// match gives messages to the receives that wait for them.
func (g *group) match(to, from int) {
	m := &g.ranks[to]
	for len(m.arrived[from]) > 0 && m.expected[from] > 0 {
		got := m.arrived[from][0]
		m.arrived[from] = m.arrived[from][1:]
		m.expected[from]--
		m.open--
		if got.held {
			g.ranks[from].open--
		}
		for i, k := range got.known {
			m.known[i] = m.known[i] || k
		}
	}
}

// needs says whether a rank's result depends on what another gives.
func needs(k Kind, me, other, root int) bool {
	switch k {
	case Bcast, Scatter:
		return other == root
	case Reduce, Gather:
		return me == root
	case Scan:
		return other <= me
	}
	return true
}

// Each collective ends, however messages are sent, and brings to each rank what its result depends on. Sizes of messages fall on both sides
// of the limits at which libraries choose another algorithm.
func TestEachRankLearns(t *testing.T) {
	tried := map[algorithm]bool{}
	for _, library := range []Library{OpenMPI, MPICH} {
		for kind := Barrier; kind <= Scan; kind++ {
			for _, size := range []int{2, 3, 4, 5, 7, 8, 11, 16, 24, 33, 64, 100} {
				for bytes := int64(1); bytes <= 1<<22; bytes *= 8 {
					c := Call{Kind: kind, Size: size, Root: size / 3, Bytes: bytes}
					if a := choose(library, &c); !tried[a] || size < 12 {
						tried[a] = true
						learns(t, library, c)
					}
				}
			}
		}
	}
	for a := range algorithms {
		switch c := (Call{Size: 300, Bytes: 1 << 10}); {
		case tried[a]:
		case a == barrierTree || a == reduceThenBcast: // of hundreds of ranks
			c.Kind = map[algorithm]Kind{barrierTree: Barrier, reduceThenBcast: Allreduce}[a]
			c.Size = map[algorithm]int{barrierTree: 300, reduceThenBcast: 200}[a]
			if got := choose(OpenMPI, &c); got != a {
				t.Errorf("algorithm %d is chosen instead of %d", got, a)
			}
			learns(t, OpenMPI, c)
		default:
			t.Errorf("algorithm %d is not chosen at these sizes", a)
		}
	}
}

func learns(t *testing.T, library Library, c Call) {
	t.Helper()
	for _, rendezvous := range []bool{false, true} {
		g := newGroup(library, c, rendezvous)
		name := fmt.Sprintf("library %d, algorithm %d, %+v, rendezvous %t", library, choose(library, &c), c, rendezvous)
		if err := g.run(); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for r, m := range g.ranks {
			for other, known := range m.known {
				if needs(c.Kind, r, other, c.Root) && !known {
					t.Errorf("%s: rank %d cannot have what rank %d gave", name, r, other)
					return
				}
			}
		}
	}
}
