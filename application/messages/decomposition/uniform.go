package decomposition

import "math"

// traffic is one kind of calls to, or from, one neighbour.
type traffic struct {
	name  string
	boxes [mostDimensions]int
	from  bool
	tag   int
}

// amount is how many there are, and their bytes.
type amount struct{ calls, bytes float64 }

// uniform says whether whom a rank speaks with depends on nothing but which neighbours it has: each that has a neighbour on some side says to it what
// all others say to that side. On small grids, where each rank has a place of its own, this is what tells a grid from any other order.
func (p *Pattern) uniform() bool {
	usual := map[traffic]amount{}
	sums := make([]map[traffic]amount, len(p.steps))
	for rank, steps := range p.steps {
		sums[rank] = map[traffic]amount{}
		tally(steps, 1, sums[rank])
		for t, a := range sums[rank] {
			if _, there := usual[t]; !there {
				usual[t] = a
			}
		}
	}
	for t, want := range usual {
		for rank := range p.steps {
			at := p.Grid.at(rank)
			for i := range at {
				at[i] += t.boxes[i]
			}
			if _, there := p.Grid.rank(at); there && !sums[rank][t].near(want) {
				return false
			}
		}
	}
	return true
}

// near says whether two amounts are the same, but for the rounding of boxes.
func (a amount) near(b amount) bool {
	return a.calls == b.calls && math.Abs(a.bytes-b.bytes) <= sameBytes*max(a.bytes, b.bytes)
}

// tally adds what goes to and comes from neighbours.
func tally(steps []step, repeats float64, sums map[traffic]amount) {
	for i := range steps {
		s := &steps[i]
		if s.body != nil {
			tally(s.body, repeats*float64(s.repeats), sums)
			continue
		}
		add := func(t traffic, bytes int64) {
			a := sums[t]
			sums[t] = amount{a.calls + repeats, a.bytes + repeats*float64(bytes)}
		}
		if s.to.special == 0 {
			add(traffic{s.call.Name, s.to.boxes, false, s.call.Tag}, s.call.EachBytes())
		}
		if s.from.special == 0 { // a call that sends too has the bytes that it sends
			add(traffic{s.call.Name, s.from.boxes, true, s.call.SourceTag}, 0)
		}
	}
}
