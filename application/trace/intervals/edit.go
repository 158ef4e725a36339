package intervals

// edit changes trees.
type edit[V any] struct {
	keep bool // the tree as it was, and copy the nodes that change
}

func newNode[V any](i Interval[V]) *node[V] {
	return &node[V]{at: &i, weight: scatter(i.Number), last: i.Last}
}

// with adds a node below another and gives the one that is on top then.
func (e edit[V]) with(n, added *node[V]) *node[V] {
	switch {
	case n == nil:
		return added
	case added.weight > n.weight:
		before, after := e.split(n, added.at.First, added.at.Number)
		return edit[V]{}.over(added, before, after)
	case n.at.before(added.at.First, added.at.Number):
		return e.over(n, n.left, e.with(n.right, added))
	}
	return e.over(n, e.with(n.left, added), n.right)
}

// without removes the interval of a first address and a number.
func (e edit[V]) without(n *node[V], first, number uint64) *node[V] {
	switch {
	case n == nil:
		return nil
	case n.at.First == first && n.at.Number == number:
		return e.join(n.left, n.right)
	case n.at.before(first, number):
		return e.over(n, n.left, e.without(n.right, first, number))
	}
	return e.over(n, e.without(n.left, first, number), n.right)
}

// split gives the intervals before a first address and a number, and the rest.
func (e edit[V]) split(n *node[V], first, number uint64) (before, rest *node[V]) {
	switch {
	case n == nil:
		return nil, nil
	case n.at.before(first, number):
		before, rest = e.split(n.right, first, number)
		return e.over(n, n.left, before), rest
	}
	before, rest = e.split(n.left, first, number)
	return before, e.over(n, rest, n.right)
}

// join puts b behind a.
func (e edit[V]) join(a, b *node[V]) *node[V] {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.weight > b.weight:
		return e.over(a, a.left, e.join(a.right, b))
	}
	return e.over(b, e.join(a, b.left), b.right)
}

// over puts a node over others.
func (e edit[V]) over(n, left, right *node[V]) *node[V] {
	if e.keep {
		n = &node[V]{at: n.at, weight: n.weight}
	}
	n.left, n.right, n.last = left, right, n.at.Last
	if left != nil {
		n.last = max(n.last, left.last)
	}
	if right != nil {
		n.last = max(n.last, right.last)
	}
	return n
}

// scatter makes weights of numbers that follow one another (splitmix64).
func scatter(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
