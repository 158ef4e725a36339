package collective

import "slices"

// Trees, by ranks that are counted from the root. parent is −1 at the root; children stand in the order in which they are sent to.

// binomial is MPICH's tree: a rank's parent lacks the lowest of its bits.
func binomial(me, size int) (parent int, children []int) {
	parent = -1
	mask := 1
	for ; mask < size; mask *= 2 {
		if me&mask != 0 {
			parent = me - mask
			break
		}
	}
	for mask /= 2; mask > 0; mask /= 2 {
		if me+mask < size {
			children = append(children, me+mask)
		}
	}
	return parent, children
}

// mirrored is Open MPI's binomial tree: a rank's parent lacks the highest of its bits.
func mirrored(me, size int) (parent int, children []int) {
	parent = -1
	mask := 1
	for mask <= me {
		mask *= 2
	}
	if me > 0 {
		parent = me - mask/2
	}
	for ; me+mask < size; mask *= 2 {
		children = append(children, me+mask)
	}
	return parent, children
}

// nomial is the tree of a larger radix: one digit after the other, the highest first.
func nomial(radix, me, size int) (parent int, children []int) {
	parent = -1
	mask := 1
	for ; mask < size; mask *= radix {
		if me%(radix*mask) != 0 {
			parent = me / (radix * mask) * (radix * mask)
			break
		}
	}
	for mask /= radix; mask > 0; mask /= radix {
		for r := 1; r < radix; r++ {
			if child := me + mask*r; child < size {
				children = append(children, child)
			}
		}
	}
	return parent, children
}

// binary is the complete tree of two children.
func binary(me, size int) (parent int, children []int) {
	parent = (me+1)/2 - 1
	if me == 0 {
		parent = -1
	}
	for _, c := range []int{2*me + 1, 2*me + 2} {
		if c < size {
			children = append(children, c)
		}
	}
	return parent, children
}

// chain is one behind the other.
func chain(me, size int) (parent int, children []int) {
	if me+1 < size {
		children = []int{me + 1}
	}
	return me - 1, children
}

// star is all below the root.
func star(me, size int) (parent int, children []int) {
	if me > 0 {
		return 0, nil
	}
	for c := 1; c < size; c++ {
		children = append(children, c)
	}
	return -1, children
}

type tree func(me, size int) (parent int, children []int)

// down sends from the root to all others.
func down(t tree) func(b *builder) {
	return func(b *builder) {
		parent, children := t(b.virtual(), b.Size)
		if parent >= 0 {
			b.receive(b.real(parent), 0)
		}
		b.fan(children, b.Bytes)
	}
}

// fan sends the same to several ranks.
func (b *builder) fan(children []int, bytes int64) {
	for _, c := range children {
		b.post(Step{Sends: true, To: b.real(c), Bytes: bytes, Waits: true})
	}
}

// up combines at the root what all others have.
func up(t tree) func(b *builder) {
	return func(b *builder) {
		parent, children := t(b.virtual(), b.Size)
		for _, c := range children {
			b.receive(b.real(c), b.Bytes)
		}
		if parent >= 0 {
			b.send(b.real(parent), b.Bytes)
		}
	}
}

// upward is up with the children in the other order: those with the smallest part of the tree have theirs first.
func upward(t tree) tree {
	return func(me, size int) (int, []int) {
		parent, children := t(me, size)
		slices.Reverse(children)
		return parent, children
	}
}

// below is how many ranks the part of a tree has that begins at a rank, itself included. In binomial trees those are next to each other.
func below(t tree, me, size int) int {
	_, children := t(me, size)
	n := 1
	for _, c := range children {
		n += below(t, c, size)
	}
	return n
}

// gatherTree gathers what each rank has at the root, along a tree.
func gatherTree(t tree) func(b *builder) {
	return func(b *builder) {
		me := b.virtual()
		parent, children := t(me, b.Size)
		for _, c := range slices.Backward(children) {
			b.receive(b.real(c), 0)
		}
		if parent >= 0 {
			b.send(b.real(parent), b.Bytes*int64(below(t, me, b.Size)))
		}
	}
}

// scatterTree gives each rank its part from the root, along a tree.
func scatterTree(t tree) func(b *builder) {
	return func(b *builder) { b.scatter(t, b.Bytes) }
}

// scatter gives each rank so many bytes.
func (b *builder) scatter(t tree, each int64) {
	parent, children := t(b.virtual(), b.Size)
	if parent >= 0 {
		b.receive(b.real(parent), 0)
	}
	for _, c := range children {
		b.post(Step{Sends: true, To: b.real(c), Bytes: each * int64(below(t, c, b.Size)), Waits: true})
	}
}
