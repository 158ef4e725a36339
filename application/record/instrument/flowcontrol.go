package instrument

import "slices"

// control is which branches decide on which blocks run.
type control struct {
	branches [][]int // by block: the blocks whose branches decide directly on whether it runs
}

// controlOf finds the branches that decide on each block, by what comes after all ways (Cooper, Harvey and Kennedy's algorithm on the
// graph from its ends).
func controlOf(blocks []flowBlock) *control {
	c := &control{branches: make([][]int, len(blocks))}
	after := commonAfter(blocks)
	for n, k := range blocks {
		if len(k.next) < 2 {
			continue
		}
		for _, s := range k.next {
			for at := s; at != after[n] && at != len(blocks); at = after[at] {
				if !slices.Contains(c.branches[at], n) {
					c.branches[at] = append(c.branches[at], n)
				}
			}
		}
	}
	return c
}

// commonAfter gives for each block the next one that all ways from it come by; len(blocks) stands for the end.
func commonAfter(blocks []flowBlock) []int {
	end := len(blocks)
	before := make([][]int, end+1)
	for n, k := range blocks {
		if len(k.next) == 0 {
			before[end] = append(before[end], n)
		}
		for _, s := range k.next {
			before[s] = append(before[s], n)
		}
	}
	order, rank := orderFrom(end, before)
	after := make([]int, end+1)
	for i := range after {
		after[i] = -1
	}
	after[end] = end
	for changed := true; changed; {
		changed = false
		for _, n := range order {
			if n == end {
				continue
			}
			if to := meeting(blocks[n].next, after, rank, end); after[n] != to {
				after[n], changed = to, true
			}
		}
	}
	for i := range after { // what never ends
		if after[i] < 0 {
			after[i] = end
		}
	}
	return after
}

// orderFrom numbers nodes from an end of the graph on, each before those that are reached through it as far as can be.
func orderFrom(from int, edges [][]int) (order, rank []int) {
	seen := make([]bool, len(edges))
	var visit func(int)
	visit = func(n int) {
		seen[n] = true
		for _, m := range edges[n] {
			if !seen[m] {
				visit(m)
			}
		}
		order = append(order, n)
	}
	visit(from)
	slices.Reverse(order)
	rank = make([]int, len(edges))
	for i, n := range order {
		rank[n] = i
	}
	return order, rank
}

// meeting is where the ways from blocks meet, as far as is known.
func meeting(next, after, rank []int, end int) int {
	meet := -1
	if len(next) == 0 {
		return end
	}
	for _, s := range next {
		switch {
		case after[s] < 0:
		case meet < 0:
			meet = s
		default:
			for a := s; a != meet; {
				for rank[a] > rank[meet] {
					a = after[a]
				}
				for rank[meet] > rank[a] {
					meet = after[meet]
				}
			}
		}
	}
	return meet
}

// all are the branches that decide on a block, directly or through others.
func (c *control) all(block int) []int {
	var found []int
	seen := map[int]bool{}
	for queue := []int{block}; len(queue) > 0; queue = queue[1:] {
		for _, b := range c.branches[queue[0]] {
			if !seen[b] {
				seen[b], found, queue = true, append(found, b), append(queue, b)
			}
		}
	}
	return found
}

// guarded are the blocks on which a branch decides, directly or through others.
func (c *control) guarded(branch int) []int {
	var found []int
	for n := range c.branches {
		if slices.Contains(c.all(n), branch) {
			found = append(found, n)
		}
	}
	return found
}

// leadsTo says whether a way leads from one block to another.
func leadsTo(blocks []flowBlock, from, to int) bool {
	seen := map[int]bool{}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		for _, m := range blocks[queue[0]].next {
			if m == to {
				return true
			}
			if !seen[m] {
				seen[m], queue = true, append(queue, m)
			}
		}
	}
	return false
}

// forward says which blocks are reached from each without going back.
type forward struct {
	reached map[int]map[int]bool
}

// forwardOf looks at the ways from a block on through those that are allowed, up to the ends.
func forwardOf(blocks []flowBlock, from int, allowed func(int) bool, ends map[int]bool) *forward {
	f := &forward{reached: map[int]map[int]bool{}}
	open := map[int]bool{}
	var visit func(int)
	visit = func(n int) {
		open[n] = true
		f.reached[n] = map[int]bool{}
		for _, m := range blocks[n].next {
			if open[m] || ends[n] || !allowed(m) {
				continue
			}
			if f.reached[m] == nil {
				visit(m)
			}
			f.reached[n][m] = true
			for r := range f.reached[m] {
				f.reached[n][r] = true
			}
		}
		open[n] = false
	}
	visit(from)
	return f
}

// before says whether one spot comes before another on a way that does not go back.
func (f *forward) before(a, b spot) bool {
	return a.block == b.block && a.line < b.line || f.reached[a.block][b.block]
}

// phases says which instructions may run between the same two barriers, each in another thread.
type phases struct {
	of map[spot]map[int]bool // by instruction: the barriers, or the beginning of the function, after which it may come
}

func phasesOf(blocks []flowBlock, parts func(instruction) bool) *phases {
	p := &phases{of: map[spot]map[int]bool{}}
	number := 0
	p.walk(blocks, parts, 0, 0, number)
	for n, k := range blocks {
		for i, in := range k.lines {
			if parts(in) {
				number++
				p.walk(blocks, parts, n, i+1, number)
			}
		}
	}
	return p
}

// walk marks what comes after a barrier, up to others.
func (p *phases) walk(blocks []flowBlock, parts func(instruction) bool, block, i, number int) {
	if block >= len(blocks) {
		return
	}
	for ; i < len(blocks[block].lines); i++ {
		at := spot{block, i}
		if p.of[at][number] {
			return
		}
		if p.of[at] == nil {
			p.of[at] = map[int]bool{}
		}
		p.of[at][number] = true
		if parts(blocks[block].lines[i]) {
			return
		}
	}
	for _, next := range blocks[block].next {
		p.walk(blocks, parts, next, 0, number)
	}
}

// together says whether two instructions may run between the same barriers.
func (p *phases) together(a, b spot) bool {
	for n := range p.of[a] {
		if p.of[b][n] {
			return true
		}
	}
	return false
}
