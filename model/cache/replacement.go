package cache

import "math/bits"

// use makes way i of a set the most recently used, as the policy sees it.
func (c *instance) use(ways []entry, set uint64, i int) {
	switch c.level.Replacement {
	case LRU:
		e := ways[i]
		for ; i > 0; i-- { // mostly few
			ways[i] = ways[i-1]
		}
		ways[0] = e
	case PLRU:
		c.turnAway(set, i)
	}
}

// place puts a line into its set, and gives the one that it replaces, or empty.
func (c *instance) place(e entry) entry {
	ways, set := c.set(e.line())
	switch c.level.Replacement {
	case LRU, FIFO:
		old := ways[len(ways)-1]
		copy(ways[1:], ways)
		ways[0] = e
		return old
	}
	i := 0
	for i < len(ways) && ways[i] != empty {
		i++
	}
	if i == len(ways) {
		i = c.choose(set)
	}
	old := ways[i]
	ways[i] = e
	c.use(ways, set, i)
	return old
}

// choose is the way that a full set gives up, by its policy.
func (c *instance) choose(set uint64) int {
	if c.level.Replacement == Random {
		return c.random.IntN(c.ways)
	}
	return c.coldest(set)
}

// treeWords is the number of words that a set's tree takes: one bit a node, the root's number is 1, and the nodes
// below node n are 2n and 2n+1.
func (c *instance) treeWords() int { return (c.span + 63) / 64 }

// tree is the bits of a set.
func (c *instance) tree(set uint64) []uint64 {
	n := uint64(c.treeWords())
	return c.trees[set*n : (set+1)*n]
}

// turnAway sets the bits on the path to way i so that they lead elsewhere.
func (c *instance) turnAway(set uint64, i int) {
	tree := c.tree(set)
	if c.span <= mostTreeWays {
		tree[0] = tree[0]&treeMask | uint64(i)<<treeLast
	}
	for node := c.span + i; node > 1; node /= 2 {
		parent := node / 2
		tree[parent/64] &^= 1 << (parent % 64)
		if node%2 == 0 {
			tree[parent/64] |= 1 << (parent % 64)
		}
	}
}

// coldest follows the bits; it never goes where there are no ways.
func (c *instance) coldest(set uint64) int {
	tree := c.tree(set)
	node := 1
	for half := c.span / 2; half > 0; half /= 2 {
		bit := int(tree[node/64] >> (node % 64) & 1)
		right := 2*node + 1
		if bit == 1 && c.firstWay(right) < c.ways {
			node = right
		} else {
			node *= 2
		}
	}
	return node - c.span
}

// firstWay is the lowest way below a node.
func (c *instance) firstWay(node int) int {
	return node<<(bits.Len(uint(c.span))-bits.Len(uint(node))) - c.span
}
