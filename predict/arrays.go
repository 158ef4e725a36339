package predict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"foresee/application/nest"
	"foresee/application/trace"
)

// objects count accesses by array.
type objects struct {
	wanted bool
	levels int
	places trace.Places // by number as the trace has them
	change int
	counts objectCounts

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

// Unnamed stands for the array of accesses to no named one.
const Unnamed = "(other)"

// name is that of an object.
func (o *objects) name(i int) string {
	if i == elsewhere {
		return Unnamed
	}
	return o.places.Object(i).Name
}

// objectCounts are counts of accesses by region and object.
type objectCounts map[int]map[int]*SimulatedObject

// at is what is counted of a region and an object, with so many levels.
func (c objectCounts) at(region, object, levels int) *SimulatedObject {
	of := c[region]
	if of == nil {
		of = map[int]*SimulatedObject{}
		c[region] = of
	}
	n := of[object]
	if n == nil {
		n = &SimulatedObject{Misses: make([]int64, levels)}
		of[object] = n
	}
	return n
}

// count counts an access, and its misses by the levels that it passed.
func (n *SimulatedObject) count(served int) {
	n.Accesses++
	for j := range served {
		n.Misses[j]++
	}
}

// count counts an access to an address by its object, and its misses by the levels that it passed.
func (o *objects) count(address uint64, region, served int) {
	if o.counts == nil {
		o.counts = objectCounts{}
	}
	o.counts.at(region, o.find(address), o.levels).count(served)
}

// of gives the arrays that were counted of a region, in the order of their addresses, those of one name together.
func (o *objects) of(counts map[int]*SimulatedObject) []SimulatedObject {
	var out []SimulatedObject
	index := map[string]int{}
	for _, i := range slices.SortedFunc(maps.Keys(counts), o.byAddress) {
		c, name := counts[i], o.name(i)
		k, known := index[name]
		if !known {
			index[name] = len(out)
			out = append(out, SimulatedObject{name, c.Accesses, slices.Clone(c.Misses)})
			continue
		}
		out[k].Accesses += c.Accesses
		for j, m := range c.Misses {
			out[k].Misses[j] += m
		}
	}
	return out
}

// placeOf writes a place of the source as file:line; empty where it is not known.
func placeOf(p nest.Pos) string {
	if p.Line == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// arraysOf are the lines that levels lack of each array of loops, of so many accesses. What is known of the arrays of a level says how its
// lines are dealt to them; no array is dealt more than the level before lacks of it, or than it is accessed.
func arraysOf(levels []levelHits, accesses int64) []ArrayMisses {
	var out []ArrayMisses
	index := map[string]int{}
	var above []float64 // of each array: what may come to the level, as a share of all accesses
	for i, h := range levels {
		found := h.Missed.ByObject()
		wanted := make([]float64, len(out), len(out)+len(found))
		for _, o := range found {
			k, known := index[o.Name]
			if !known {
				k = len(out)
				index[o.Name] = k
				out = append(out, ArrayMisses{Array: o.Name, Misses: make([]int64, len(levels))})
				wanted, above = append(wanted, 0), append(above, o.Made)
			}
			wanted[k] = o.Share
			if o.Share > 0 { // the access is that of the outermost level that lacks any
				out[k].Access, out[k].Place = o.Most.Text, placeOf(o.Most.Pos)
			}
		}
		above = dealt(h.Miss, wanted, above)
		for k, share := range above {
			out[k].Misses[i] = int64(share*float64(accesses) + 0.5)
		}
	}
	return mostMissed(out)
}

// dealt deals a whole in the ratio of what is wanted, to no part more than most of it. Where all that want any have their most, the rest goes to the
// others, as they have room.
func dealt(whole float64, wanted, most []float64) []float64 {
	out := make([]float64, len(wanted))
	var order []int // those that come to their most first go first
	for k, w := range wanted {
		if w > 0 {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(most[a]/wanted[a], most[b]/wanted[b]) })
	sums := make([]float64, len(order)+1) // of what is wanted from here on
	for i := len(order) - 1; i >= 0; i-- {
		sums[i] = sums[i+1] + wanted[order[i]]
	}
	left, room := whole, 0.0
	for i, k := range order {
		out[k] = min(wanted[k]/sums[i]*left, most[k])
		left -= out[k]
	}
	for k := range out {
		room += most[k] - out[k]
	}
	if left <= 0 || room <= 0 {
		return out
	}
	for k := range out {
		out[k] += (most[k] - out[k]) * min(1, left/room)
	}
	return out
}

// arraysThatMissed are those of a simulation; accesses outside arrays alone tell nothing.
func arraysThatMissed(all []SimulatedObject) []ArrayMisses {
	var out []ArrayMisses
	named := false
	for _, a := range all {
		out = append(out, ArrayMisses{Array: a.Name, Misses: a.Misses})
		named = named || a.Name != Unnamed
	}
	if !named {
		return nil
	}
	return mostMissed(out)
}

// mostMissed orders arrays by their lines that the outermost level lacks, those of which inner ones lack more first among equals; those that no
// level lacks are left out.
func mostMissed(all []ArrayMisses) []ArrayMisses {
	all = slices.DeleteFunc(all, func(a ArrayMisses) bool { return slices.Max(append(a.Misses, 0)) == 0 })
	slices.SortStableFunc(all, func(a, b ArrayMisses) int {
		for i := len(a.Misses) - 1; i >= 0; i-- {
			if c := cmp.Compare(b.Misses[i], a.Misses[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	return all
}
