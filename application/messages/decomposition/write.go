package decomposition

import (
	"fmt"
	"slices"
	"strings"

	"foresee/application/messages"
)

// writer writes the ranks of a larger grid.
type writer struct {
	pattern *Pattern
	grid    Grid
	out     *messages.Program
	comms   map[[3]int]int    // first member, dimensions, which of several → number
	merged  map[string][]step // by the ranks that they are of
	met     map[string]int    // how many ranks of a place were written
	divided divided
}

// rank writes a rank.
func (w *writer) rank(rank int) error {
	place := w.grid.place(rank)
	ordinal := w.met[place]
	w.met[place]++
	steps, source, err := w.of(place, ordinal)
	if err != nil {
		return err
	}
	from := w.pattern.recorded.Ranks[source]
	outstanding := 0
	w.out.Ranks[rank] = messages.Rank{
		Nodes: w.nodes(rank, steps, &outstanding), LastWall: from.LastWall * w.divided.all(), LastCPU: from.LastCPU * w.divided.all(),
		Host: from.Host, Processors: from.Processors, Threads: from.Threads,
	}
	return nil
}

// of is what a rank at a place does, by recorded ranks there in turn, and one of those. A place that none has is put together from those beside it.
func (w *writer) of(place string, ordinal int) ([]step, int, error) {
	if there := w.pattern.places[place]; len(there) > 0 {
		source := there[ordinal%len(there)]
		return w.pattern.steps[source], source, nil
	}
	i := strings.IndexByte(place, middle)
	if i < 0 {
		return nil, 0, fmt.Errorf("no rank of the grid %s is at a place like that of %q on %s", w.pattern.Grid, place, w.grid)
	}
	a, source, err := w.of(place[:i]+string(low)+place[i+1:], ordinal)
	if err != nil {
		return nil, 0, err
	}
	b, other, err := w.of(place[:i]+string(high)+place[i+1:], ordinal)
	if err != nil {
		return nil, 0, err
	}
	key := fmt.Sprint(place, source, other, ordinal%w.pattern.Grid.size())
	if steps, there := w.merged[key]; there {
		return steps, source, nil
	}
	steps, ok := merge(a, b)
	if !ok {
		return nil, 0, fmt.Errorf("what ranks in the middle do cannot be put together from those at the ends of the grid %s, as they wait for some of their requests only; record on a grid of three or more ranks in each dimension", w.pattern.Grid)
	}
	if all := computed(steps); all > 0 { // what is put together computes as much as one of both
		steps = scaled(steps, (computed(a)+computed(b))/2/all)
	}
	w.merged[key] = steps
	return steps, source, nil
}

// nodes writes steps for a rank.
func (w *writer) nodes(rank int, steps []step, outstanding *int) []messages.Node {
	out := make([]messages.Node, 0, len(steps))
	for i := range steps {
		s := &steps[i]
		if s.body != nil {
			out = append(out, messages.Node{Repeats: s.repeats, Body: w.nodes(rank, s.body, outstanding)})
			continue
		}
		c := w.divided.call(s)
		c.Peer, c.Source = w.peer(rank, s.to), w.peer(rank, s.from)
		if s.comm != noComm {
			c.Comm = w.comm(rank, s)
			c.Root = min(c.Root, len(w.out.Comms[c.Comm])-1)
		}
		if s.all {
			c.Completes = nil
			for age := *outstanding; age > 0; age-- {
				c.Completes = append(c.Completes, age)
			}
		}
		*outstanding -= min(len(c.Completes), *outstanding)
		if makesRequest(c.Name) {
			*outstanding++
		}
		out = append(out, messages.Node{Call: c})
	}
	return out
}

// peer is the rank at an offset.
func (w *writer) peer(rank int, o offset) int {
	if o.special != 0 {
		return o.special
	}
	at := w.grid.at(rank)
	for i := range at {
		at[i] += o.boxes[i]
	}
	if peer, ok := w.grid.rank(at); ok {
		return peer
	}
	return messages.Nobody
}

// comm is the number of a communicator through a rank.
func (w *writer) comm(rank int, s *step) int {
	at := w.grid.at(rank)
	for i := range at {
		if s.comm&(1<<i) != 0 {
			at[i] = 0
		}
	}
	first, _ := w.grid.rank(at)
	key := [3]int{first, s.comm, s.which}
	number, there := w.comms[key]
	if !there {
		number = len(w.out.Comms)
		w.comms[key] = number
		w.out.Comms = append(w.out.Comms, slices.Clip(w.grid.members(rank, s.comm)))
	}
	return number
}
