package decomposition

import (
	"math"
	"slices"

	"foresee/application/messages"
)

// step is a call, or a loop, in the words of a grid: whom it is with by the offset, on which communicator by the dimensions that it runs along.
type step struct {
	repeats  int64
	body     []step
	call     messages.Call
	to, from offset
	comm     int  // bits: dimensions along which the communicator runs; noComm
	which    int  // of several communicators with the same members
	all      bool // completes all requests that there are
}

const noComm = -1

// offset is where a peer lies from here, in boxes.
type offset struct {
	special int // messages.None, Any or Nobody; 0: a neighbour
	boxes   [mostDimensions]int
}

// shape is what makes templates of a grid.
type shape struct {
	grid     Grid
	recorded *messages.Program
	comms    []place // of the program's communicators
}

// place is what a communicator is on the grid.
type place struct {
	along, which int
	ok           bool
}

// template is the calls of a rank in the words of the grid; false where a peer is no neighbour, or a communicator no part of the grid.
func (s *shape) template(rank int) ([]step, bool) {
	outstanding := 0
	return s.steps(rank, s.recorded.Ranks[rank].Nodes, &outstanding)
}

func (s *shape) steps(rank int, nodes []messages.Node, outstanding *int) ([]step, bool) {
	out := make([]step, 0, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		if n.Body != nil {
			body, ok := s.steps(rank, n.Body, outstanding)
			if !ok {
				return nil, false
			}
			out = append(out, step{repeats: n.Repeats, body: body})
			continue
		}
		one, ok := s.step(rank, &n.Call, outstanding)
		if !ok {
			return nil, false
		}
		out = append(out, one)
	}
	return out, true
}

func (s *shape) step(rank int, c *messages.Call, outstanding *int) (step, bool) {
	out := step{call: *c, comm: noComm}
	var ok bool
	if out.to, ok = s.offset(rank, c.Peer); !ok {
		return out, false
	}
	if out.from, ok = s.offset(rank, c.Source); !ok {
		return out, false
	}
	if c.Comm != messages.None {
		if c.Comm < 0 || c.Comm >= len(s.comms) || !s.comms[c.Comm].ok {
			return out, false
		}
		out.comm, out.which = s.comms[c.Comm].along, s.comms[c.Comm].which
	}
	if len(c.Completes) > 0 {
		ages := slices.Sorted(slices.Values(c.Completes))
		out.all = len(ages) == *outstanding && ages[0] == 1 && ages[len(ages)-1] == *outstanding
		*outstanding -= min(len(ages), *outstanding)
	}
	if makesRequest(c.Name) {
		*outstanding++
	}
	return out, true
}

// makesRequest knows nonblocking calls by their names: Isend, Iallreduce.
func makesRequest(name string) bool {
	return len(name) > 1 && name[0] == 'I' && name[1] >= 'a' && name[1] <= 'z'
}

// offset is where a peer lies from a rank; false where it is farther than one box.
func (s *shape) offset(rank, peer int) (offset, bool) {
	if peer == messages.None || peer == messages.Any || peer == messages.Nobody {
		return offset{special: peer}, true
	}
	if peer < 0 || peer >= len(s.recorded.Ranks) {
		return offset{}, false
	}
	out := offset{}
	here, there := s.grid.at(rank), s.grid.at(peer)
	for i := range here {
		d := there[i] - here[i]
		if n := s.grid.Dims[i]; n > 2 && (d == n-1 || d == 1-n) {
			d = -d / (n - 1)
			s.grid.Closed[i] = true
		}
		if d < -1 || d > 1 {
			return offset{}, false
		}
		out.boxes[i] = d
	}
	return out, true
}

// sameBytes is how far sizes of messages of ranks at one place may be apart, as rounding makes boxes differ. Chosen: a cell in a hundred.
const sameBytes = 0.01

// alike says whether two ranks do the same but for what they compute.
func alike(a, b []step) bool {
	return slices.EqualFunc(a, b, func(x, y step) bool {
		if (x.body == nil) != (y.body == nil) || x.repeats != y.repeats {
			return false
		}
		if x.body != nil {
			return alike(x.body, y.body)
		}
		return x.call.Name == y.call.Name && x.to == y.to && x.from == y.from && x.comm == y.comm && x.which == y.which && x.call.Tag == y.call.Tag &&
			x.call.SourceTag == y.call.SourceTag && x.call.Root == y.call.Root && x.call.Times == y.call.Times &&
			math.Abs(float64(x.call.Bytes-y.call.Bytes)) <= sameBytes*float64(max(x.call.Bytes, y.call.Bytes)) && slices.Equal(x.call.Completes, y.call.Completes)
	})
}

// places says what each communicator is on the grid: a number of them may have the same members.
func (s *shape) places() {
	s.comms = make([]place, len(s.recorded.Comms))
	before := map[[2]int]int{} // first member and dimensions: how many there were
	for i, members := range s.recorded.Comms {
		along, ok := s.along(members)
		if !ok {
			continue
		}
		key := [2]int{members[0], along}
		s.comms[i] = place{along, before[key], true}
		before[key]++
	}
}

// along is the dimensions along which members lie that share their place in all others, in the order of their numbers.
func (s *shape) along(members messages.Members) (mask int, ok bool) {
	if len(members) == 0 || members[0] >= s.grid.size() {
		return 0, false
	}
	first, last := s.grid.at(members[0]), s.grid.at(min(members[len(members)-1], s.grid.size()-1))
	for i := range first {
		if first[i] != last[i] {
			mask |= 1 << i
		}
	}
	return mask, slices.Equal(members, s.grid.members(members[0], mask))
}

// members are the ranks that lie along dimensions through a rank.
func (g Grid) members(through, mask int) messages.Members {
	here := g.at(through)
	var out messages.Members
	var visit func(i, rank int)
	visit = func(i, rank int) {
		if i == len(g.Dims) {
			out = append(out, rank)
			return
		}
		if mask&(1<<i) == 0 {
			visit(i+1, rank*g.Dims[i]+here[i])
			return
		}
		for c := range g.Dims[i] {
			visit(i+1, rank*g.Dims[i]+c)
		}
	}
	visit(0, 0)
	return out
}
