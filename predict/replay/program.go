package replay

import (
	"fmt"
	"slices"

	"foresee/application/messages"
	"foresee/model/network"
)

// program gives the simulation the calls of a recording.
type program struct {
	recorded *messages.Program
	walks    []messages.Walk
	queued   []network.Op // of each rank, Seconds < 0: none
	compute  string       // Wall, CPU or Median
	factor   float64      // of computing
	labels   map[string]int
	names    []string
	unknown  map[string]int64 // calls that are not simulated
	over     []bool
}

const none = -1

func newProgram(recorded *messages.Program, compute string, factor float64) *program {
	n := len(recorded.Ranks)
	p := &program{
		recorded: recorded, walks: make([]messages.Walk, n), queued: make([]network.Op, n), compute: compute, factor: factor,
		labels: map[string]int{}, unknown: map[string]int64{}, over: make([]bool, n),
	}
	for r := range n {
		p.walks[r] = messages.NewWalk(recorded.Ranks[r].Nodes)
		p.queued[r].Seconds = none
	}
	return p
}

// Ranks is how many there are.
func (p *program) Ranks() int { return len(p.walks) }

// Members are the ranks of a communicator.
func (p *program) Members(comm int) []int {
	if comm < 0 || comm >= len(p.recorded.Comms) {
		return nil
	}
	return p.recorded.Comms[comm]
}

func (p *program) label(name string) int {
	l, there := p.labels[name]
	if !there {
		l = len(p.names)
		p.labels[name] = l
		p.names = append(p.names, "MPI_"+name)
	}
	return l
}

// Next is the next operation of a rank.
func (p *program) Next(rank int) (network.Op, bool) {
	if o := p.queued[rank]; o.Seconds != none {
		p.queued[rank].Seconds = none
		return o, true
	}
	c := p.walks[rank].Next()
	if c == nil {
		return p.last(rank)
	}
	f, ok := formOf(c.Name)
	if ok && f.kind == network.Collective && (c.Comm == messages.None || !slices.Contains(p.Members(c.Comm), rank)) {
		ok = false // between two groups
	}
	seconds := p.computed(c)
	if !ok {
		p.unknown[c.Name]++
		o := network.Op{Kind: network.Compute, Seconds: seconds + c.MPI/float64(c.Times)}
		if makesRequest(c.Name) {
			o.Kind, o.Peer, o.Label = network.Irecv, network.Nobody, p.label(c.Name)
		}
		return o, true
	}
	o := op(c, f)
	o.Seconds, o.Label = seconds, p.label(c.Name)
	if f.request {
		p.queued[rank] = network.Op{Kind: network.Irecv, Peer: network.Nobody, Label: o.Label}
	}
	return o, true
}

// last is what a rank computes behind its last call.
func (p *program) last(rank int) (network.Op, bool) {
	if p.over[rank] {
		return network.Op{}, false
	}
	p.over[rank] = true
	one := &p.recorded.Ranks[rank]
	seconds := one.LastWall
	if p.compute != Wall {
		seconds = one.LastCPU
	}
	return network.Op{Kind: network.Compute, Seconds: seconds * p.factor}, true
}

// computed is what a rank computes before a call.
func (p *program) computed(c *messages.Call) float64 {
	switch p.compute {
	case Median:
		return c.Median * p.factor
	case CPU:
		return c.CPU / float64(c.Times) * p.factor
	}
	return c.Wall / float64(c.Times) * p.factor
}

// warnings say what is not simulated.
func (p *program) warnings() (all []string) {
	var names []string
	for n := range p.unknown {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		all = append(all, fmt.Sprintf("MPI_%s is not simulated: its %d calls take the time that was recorded", n, p.unknown[n]))
	}
	return all
}
