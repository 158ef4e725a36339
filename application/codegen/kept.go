package codegen

import (
	"slices"

	"foresee/application/nest"
)

// again are the elements that a body loads more than once.
func again(statements []*nest.Stmt) map[string]int {
	n := map[string]int{}
	for _, s := range statements {
		for _, a := range s.Accesses {
			if k, ok := keyOf(a); ok && !a.Write {
				n[k]++
			}
		}
	}
	return n
}

// keptElement is an element that a loop keeps in a register: one that stays the same, or that an iteration writes for the next.
type keptElement struct {
	access   *nest.Access
	written  bool
	through  bool         // each write goes to memory too, as others read there
	carried  *nest.Access // the write of an iteration that the next one reads here; nil where the element stays the same
	register int          // -1: on the stack, or where it is
}

// kept finds those elements, in the order in which they come, where nothing in the loop may write to them in another way.
func (b *builder) kept(l *nest.Loop, statements []*nest.Stmt) (order []string, all map[string]*keptElement) {
	all = map[string]*keptElement{}
	if b.target.Level == 0 || large(statements) {
		return nil, all
	}
	var accesses []*nest.Access
	for _, s := range statements {
		accesses = append(accesses, s.Accesses...)
	}
	add := func(k string, e *keptElement) {
		e.register = -1
		all[k] = e
		order = append(order, k)
	}
	for _, a := range accesses {
		k, ok := keyOf(a)
		if !ok {
			continue
		}
		if known := all[k]; known != nil {
			known.written = known.written || a.Write && known.carried == nil
			continue
		}
		if a.Advance(l) != 0 {
			if w := b.carried(l, a, accesses); w != nil {
				add(k, &keptElement{access: a, carried: w})
			}
			continue
		}
		if written, read := b.disturbed(a, accesses); !written {
			add(k, &keptElement{access: a, written: a.Write, through: read})
		}
	}
	return order, all
}

// carried is the write of the iteration before whose value a read finds; nil where there is none, or where others may write there as well.
func (b *builder) carried(l *nest.Loop, a *nest.Access, accesses []*nest.Access) *nest.Access {
	if a.Write {
		return nil
	}
	x, rest := offsetOf(a.Offset)
	if rest.long || slices.Contains(rest.vars, l.Var) {
		return nil
	}
	var found *nest.Access
	for _, w := range accesses {
		if !w.Write {
			continue
		}
		if w.Object != a.Object {
			if mayAlias(w.Object, a.Object) {
				return nil
			}
			continue
		}
		y, other := offsetOf(w.Offset)
		if other.long || other.text != rest.text {
			return nil
		}
		d := x.Plus(y, -1)
		step := y.Coefficient(l.Var) * l.Step
		switch {
		case len(d.Terms) > 0 || w.Size != a.Size:
			return nil
		case d.K == -step:
			found = w
		case step != 0 && d.K%step == 0 && d.K/step < 0 || d.K == 0:
			return nil // from an iteration further back, or of this one
		}
	}
	return found
}

// disturbed says whether an element may be written in another way than by itself, and whether it may be read so where it is written.
func (b *builder) disturbed(a *nest.Access, accesses []*nest.Access) (written, read bool) {
	key, _ := keyOf(a)
	writes := slices.ContainsFunc(accesses, func(x *nest.Access) bool { k, ok := keyOf(x); return x.Write && ok && k == key })
	for _, x := range accesses {
		k, ok := keyOf(x)
		if ok && k == key || !x.Write && !writes {
			continue
		}
		if x.Object != a.Object && !mayAlias(x.Object, a.Object) || x.Object == a.Object && !meets(a, x) {
			continue
		}
		if x.Write {
			return true, true
		}
		read = true
	}
	return false, read
}

// meets says whether two accesses of one object may be to the same bytes, as far as their distance is known.
func meets(a, x *nest.Access) bool {
	p, rest := offsetOf(a.Offset)
	q, other := offsetOf(x.Offset)
	if rest.long || other.long || rest.text != other.text {
		return true
	}
	d := p.Plus(q, -1)
	if len(d.Terms) > 0 {
		return true
	}
	return d.K < x.Size && -d.K < a.Size
}
