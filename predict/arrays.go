package predict

import (
	"sort"

	"foresee/application/trace"
)

// objects count accesses by array.
type objects struct {
	wanted bool
	levels int
	all    []trace.Object // by address, the outer of two before the inner
	counts map[[2]int]*SimulatedObject
	last   int
}

// learn takes the objects that a trace has named so far.
func (o *objects) learn(all []trace.Object) {
	if !o.wanted || len(all) == len(o.all) {
		return
	}
	o.all = append([]trace.Object{}, all...)
	sort.SliceStable(o.all, func(i, j int) bool { return o.all[i].Address < o.all[j].Address })
}

// elsewhere stands for accesses to no named object.
const elsewhere = -1

func (o *objects) find(address uint64) int {
	if o.last < len(o.all) && address-o.all[o.last].Address < o.all[o.last].Bytes && (o.last+1 == len(o.all) || address < o.all[o.last+1].Address) {
		return o.last
	}
	for i := sort.Search(len(o.all), func(i int) bool { return o.all[i].Address > address }) - 1; i >= 0; i-- {
		if address-o.all[i].Address < o.all[i].Bytes {
			o.last = i
			return i
		}
	}
	return elsewhere
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
	for i := range len(o.all) + 1 {
		if i == len(o.all) {
			i = elsewhere // last
		}
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
