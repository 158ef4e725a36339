package trace

import "foresee/application/trace/intervals"

// Places finds objects by address.
type Places struct {
	objects []Object
	set     intervals.Set[struct{}] // by number of the object; those without bytes are not in it
}

// Nowhere stands for no object.
const Nowhere = -1

// Len is the number of objects, those without bytes among them.
func (p *Places) Len() int { return len(p.objects) }

// Object gives one by its number.
func (p *Places) Object(i int) Object { return p.objects[i] }

// Set adds an object, whose number is Len, or changes the one of a number. One without bytes is nowhere.
func (p *Places) Set(i int, o Object) {
	if i == len(p.objects) {
		p.objects = append(p.objects, Object{})
	}
	p.set.Remove(p.objects[i].Address, uint64(i))
	p.objects[i] = o
	if o.Bytes > 0 {
		p.set.Add(intervals.Interval[struct{}]{First: o.Address, Last: o.Address + o.Bytes - 1, Number: uint64(i)})
	}
}

// Find gives the object at an address, Nowhere where there is none: the inner of two that lie inside one another, and of two that lie
// across the one that begins later. It is the same for all addresses from one on and before another.
func (p *Places) Find(address uint64) (number int, from, until uint64) {
	found, from, until := p.set.Find(address)
	if found == nil {
		return Nowhere, from, until
	}
	return int(found.Number), from, until
}
