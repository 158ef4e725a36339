package predict

import (
	"cmp"
	"slices"

	"foresee/application/trace"
)

// objects count accesses by array.
type objects struct {
	wanted bool
	levels int
	places trace.Places // by number as the trace has them
	change int
	counts map[int]map[int]*SimulatedObject // by region and object

	// The object that was found last, for all addresses from one on and before another.
	last        int
	from, until uint64
}

// learn takes the objects that a trace has named so far, and changed.
func (o *objects) learn(n *trace.Names) {
	if !o.wanted || len(n.Objects) == o.places.Len() && n.Changes == o.change {
		return
	}
	o.from, o.until = 0, 0
	known := o.places.Len()
	for i := known; i < len(n.Objects); i++ {
		o.places.Set(i, n.Objects[i])
	}
	if n.Changes-o.change == len(n.Changed) {
		for _, i := range n.Changed {
			o.update(i, n.Objects[i])
		}
	} else {
		for i := range known {
			o.update(i, n.Objects[i])
		}
	}
	o.change = n.Changes
}

func (o *objects) update(i int, now trace.Object) {
	if o.places.Object(i) != now {
		o.places.Set(i, now)
	}
}

// elsewhere stands for accesses to no named object.
const elsewhere = trace.Nowhere

// find gives the number of the object at an address.
func (o *objects) find(address uint64) int {
	if address < o.from || address >= o.until {
		o.last, o.from, o.until = o.places.Find(address)
	}
	return o.last
}

// byAddress orders objects by their addresses, elsewhere last.
func (o *objects) byAddress(a, b int) int {
	switch {
	case a == elsewhere || b == elsewhere:
		return cmp.Compare(b, a)
	case o.places.Object(a).Address != o.places.Object(b).Address:
		return cmp.Compare(o.places.Object(a).Address, o.places.Object(b).Address)
	}
	return cmp.Compare(a, b)
}

// name is that of an object.
func (o *objects) name(i int) string {
	if i == elsewhere {
		return "(other)"
	}
	return o.places.Object(i).Name
}

func (o *objects) count(address uint64, region, served int) {
	if !o.wanted {
		return
	}
	object := o.find(address)
	c := o.counts[region][object]
	if c == nil {
		c = &SimulatedObject{Name: o.name(object), Misses: make([]int64, o.levels)}
		if o.counts == nil {
			o.counts = map[int]map[int]*SimulatedObject{}
		}
		if o.counts[region] == nil {
			o.counts[region] = map[int]*SimulatedObject{}
		}
		o.counts[region][object] = c
	}
	c.Accesses++
	for j := range served {
		c.Misses[j]++
	}
}

// of gives the arrays of a region in the order of their addresses, those of one name together.
func (o *objects) of(region int) []SimulatedObject {
	var out []SimulatedObject
	var touched []int
	for i := range o.counts[region] {
		touched = append(touched, i)
	}
	slices.SortFunc(touched, o.byAddress)
	index := map[string]int{}
	for _, i := range touched {
		c := o.counts[region][i]
		k, known := index[c.Name]
		if !known {
			index[c.Name] = len(out)
			out = append(out, SimulatedObject{c.Name, c.Accesses, slices.Clone(c.Misses)})
			continue
		}
		out[k].Accesses += c.Accesses
		for j, m := range c.Misses {
			out[k].Misses[j] += m
		}
	}
	return out
}
