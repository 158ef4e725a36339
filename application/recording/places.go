package recording

// block is memory that was allocated.
type block struct {
	low, end uint64
	owner    int // a thread; −1: each thread that runs the piece has one of its own. Of named memory: the number of its object
	id       int64
}

// blocks are sorted and do not overlap. A set is not changed once it is shared: with and without give another one, which has most of
// its tree in common with it. The blocks themselves are shared by all sets.
type blocks struct{ root *branch }

// branch is a node of a treap: sorted by address, with the largest weight on top, so that it is not deep.
type branch struct {
	block       *block
	weight      uint64
	left, right *branch
}

func (b blocks) empty() bool { return b.root == nil }

// find gives the block that holds an address, or nil.
func (b blocks) find(a uint64) *block {
	for n := b.root; n != nil; {
		switch {
		case a < n.block.low:
			n = n.left
		case a >= n.block.end:
			n = n.right
		default:
			return n.block
		}
	}
	return nil
}

// with adds a block in the place of those that it overlaps.
func (b blocks) with(n *block) blocks {
	before, _, after := b.around(n.low, n.end)
	return blocks{join(join(before, &branch{block: n, weight: scatter(uint64(n.id))}), after)}
}

// without removes the block that begins at an address.
func (b blocks) without(a uint64) blocks {
	if n := b.find(a); n == nil || n.low != a {
		return b
	}
	before, _, after := b.around(a, a+1)
	return blocks{join(before, after)}
}

// around splits the blocks into those before an address, those that overlap what lies up to end, and those after it.
func (b blocks) around(low, end uint64) (before, within, after *branch) {
	before, rest := split(b.root, func(x *block) bool { return x.end <= low })
	within, after = split(rest, func(x *block) bool { return x.low < end })
	return before, within, after
}

// split gives the first blocks, which are left, and the rest.
func split(n *branch, left func(*block) bool) (first, rest *branch) {
	if n == nil {
		return nil, nil
	}
	c := *n
	if left(n.block) {
		c.right, rest = split(n.right, left)
		return &c, rest
	}
	first, c.left = split(n.left, left)
	return first, &c
}

// join puts b behind a.
func join(a, b *branch) *branch {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.weight > b.weight:
		c := *a
		c.right = join(a.right, b)
		return &c
	}
	c := *b
	c.left = join(a, b.left)
	return &c
}

// each visits all blocks below.
func (n *branch) each(visit func(*block)) {
	if n == nil {
		return
	}
	n.left.each(visit)
	visit(n.block)
	n.right.each(visit)
}

// scatter makes weights of numbers that follow one another (splitmix64).
func scatter(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
