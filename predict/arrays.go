package predict

import (
	"sort"

	"foresee/application/trace"
)

// objects count accesses by array.
type objects struct {
	wanted bool
	levels int
	all    []trace.Object // as the trace names them: their numbers stay
	sorted []int          // those that are there, by address, the outer of two before the inner
	change int
	counts map[[2]int]*SimulatedObject
	last   int // in sorted
}

// learn takes the objects that a trace has named so far.
func (o *objects) learn(n *trace.Names) {
	if !o.wanted || len(n.Objects) == len(o.all) && n.Changes == o.change {
		return
	}
	o.all, o.change = append([]trace.Object{}, n.Objects...), n.Changes
	o.sorted, o.last = o.sorted[:0], 0
	for i := range o.all {
		if o.all[i].Bytes > 0 {
			o.sorted = append(o.sorted, i)
		}
	}
	sort.SliceStable(o.sorted, func(i, j int) bool { return o.all[o.sorted[i]].Address < o.all[o.sorted[j]].Address })
}

// elsewhere stands for accesses to no named object.
const elsewhere = -1

// find gives the number of the object at an address.
func (o *objects) find(address uint64) int {
	if o.last < len(o.sorted) && o.holds(o.last, address) && (o.last+1 == len(o.sorted) || address < o.all[o.sorted[o.last+1]].Address) {
		return o.sorted[o.last]
	}
	for i := sort.Search(len(o.sorted), func(i int) bool { return o.all[o.sorted[i]].Address > address }) - 1; i >= 0; i-- {
		if o.holds(i, address) {
			o.last = i
			return o.sorted[i]
		}
	}
	return elsewhere
}

func (o *objects) holds(i int, address uint64) bool {
	return address-o.all[o.sorted[i]].Address < o.all[o.sorted[i]].Bytes
}

// order gives the numbers of all objects by address, elsewhere last.
func (o *objects) order() []int {
	out := make([]int, len(o.all), len(o.all)+1)
	for i := range out {
		out[i] = i
	}
	sort.SliceStable(out, func(i, j int) bool { return o.all[out[i]].Address < o.all[out[j]].Address })
	return append(out, elsewhere)
}

func (o *objects) count(address uint64, region, served int) {
	if !o.wanted {
		return
	}
	key := [2]int{region, o.find(address)}
	c := o.counts[key]
	if c == nil {
		c = &SimulatedObject{Name: "(other)", Misses: make([]int64, o.levels)}
		if key[1] != elsewhere {
			c.Name = o.all[key[1]].Name
		}
		if o.counts == nil {
			o.counts = map[[2]int]*SimulatedObject{}
		}
		o.counts[key] = c
	}
	c.Accesses++
	for j := range served {
		c.Misses[j]++
	}
}

// of gives the arrays of a region in the order of their addresses, those of one name together.
func (o *objects) of(region int) []SimulatedObject {
	var out []SimulatedObject
	index := map[string]int{}
	for _, i := range o.order() {
		c := o.counts[[2]int{region, i}]
		if c == nil {
			continue
		}
		k, known := index[c.Name]
		if !known {
			index[c.Name] = len(out)
			out = append(out, SimulatedObject{c.Name, c.Accesses, append([]int64{}, c.Misses...)})
			continue
		}
		out[k].Accesses += c.Accesses
		for j, m := range c.Misses {
			out[k].Misses[j] += m
		}
	}
	return out
}
