// Package intervals keeps intervals of addresses and finds the one that an address lies in.
package intervals

// Set is intervals sorted by their first address and, of equal ones, by their number. The empty one is ready for use. It is a treap, so that
// it is not deep, and each part knows the last address of the intervals in it: finding, adding and removing one of n take log n steps.
//
// With and Without give another set, which has most of its tree in common with the first, and leave that as it was. Add and Remove change
// the set itself, which is several times as fast; no copy of it may be in use.
type Set[V any] struct{ root *node[V] }

// Interval is addresses from the first to the last, both in it, with what they stand for.
type Interval[V any] struct {
	First, Last uint64
	Number      uint64 // tells intervals apart that begin at the same address
	Value       V
}

// before says whether an interval comes before another one.
func (i *Interval[V]) before(first, number uint64) bool {
	return i.First < first || i.First == first && i.Number < number
}

// node is an interval in the tree.
type node[V any] struct {
	at          *Interval[V]
	weight      uint64 // the largest is on top
	last        uint64 // address of any interval here and below
	left, right *node[V]
}

// Empty says that nothing is there.
func (s Set[V]) Empty() bool { return s.root == nil }

// With adds an interval; none of its first address and number must be there.
func (s Set[V]) With(i Interval[V]) Set[V] {
	return Set[V]{edit[V]{keep: true}.with(s.root, newNode(i))}
}

// Without removes the interval of a first address and a number, where it is there.
func (s Set[V]) Without(first, number uint64) Set[V] {
	return Set[V]{edit[V]{keep: true}.without(s.root, first, number)}
}

// Add is With in place.
func (s *Set[V]) Add(i Interval[V]) { s.root = edit[V]{}.with(s.root, newNode(i)) }

// Remove is Without in place.
func (s *Set[V]) Remove(first, number uint64) { s.root = edit[V]{}.without(s.root, first, number) }

// Find gives the interval that an address lies in, nil where there is none: the inner of two that lie inside one another, and of two that
// lie across the one that begins later. It is the same for all addresses from one on and before another.
func (s Set[V]) Find(address uint64) (found *Interval[V], from, until uint64) {
	from, until = address, ^uint64(0)
	var nearest *Interval[V] // that begins before or at the address
	reached := false         // by an interval that begins there
	for n := s.root; n != nil; {
		if n.at.First > address {
			until, n = n.at.First, n.left
			continue
		}
		nearest = n.at
		reached = reached || n.at.Last >= address || n.left != nil && n.left.last >= address
		n = n.right
	}
	switch {
	case !reached:
		return nil, from, until
	case nearest.Last >= address:
		found, from = nearest, nearest.First
	default:
		found = s.root.holding(address)
	}
	return found, from, min(until, found.Last+1)
}

// holding is the last of the intervals below that an address lies in.
func (n *node[V]) holding(address uint64) *Interval[V] {
	for n != nil && n.last >= address {
		if n.at.First <= address {
			if later := n.right.holding(address); later != nil {
				return later
			}
			if n.at.Last >= address {
				return n.at
			}
		}
		n = n.left
	}
	return nil
}

// Each visits the intervals that hold an address from one to another, both of them looked at, in their order.
func (s Set[V]) Each(first, last uint64, visit func(*Interval[V])) { s.root.each(first, last, visit) }

func (n *node[V]) each(first, last uint64, visit func(*Interval[V])) {
	if n == nil || n.last < first {
		return
	}
	n.left.each(first, last, visit)
	if n.at.First > last {
		return
	}
	if n.at.Last >= first {
		visit(n.at)
	}
	n.right.each(first, last, visit)
}
