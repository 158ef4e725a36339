package sass

import "slices"

// tree is the dominators of a flow: the nearest of each block, and the intervals that tell at once whether a block dominates another.
type tree struct {
	nearest     []int // -1: not reached
	first, last []int // of a walk through the tree: a block dominates those whose first lies between its own first and last
}

// dominates says whether every way to b passes a; both are reached.
func (t *tree) dominates(a, b int) bool { return t.first[a] <= t.first[b] && t.first[b] <= t.last[a] }

// extremes are two of some blocks, at most: what dominates these dominates all.
func (t *tree) extremes(blocks []int) []int {
	if len(blocks) < 2 {
		return blocks
	}
	byFirst := func(a, b int) int { return t.first[a] - t.first[b] }
	return []int{slices.MinFunc(blocks, byFirst), slices.MaxFunc(blocks, byFirst)}
}

// dominators finds for each reached block the nearest one that every way to it passes, after Lengauer and Tarjan, "A Fast Algorithm for
// Finding Dominators in a Flowgraph" (1979), with simple linking: m branches and n blocks take m·log n steps.
func (f *Flow) dominators(before [][]int) *tree {
	w := f.walk()
	n := len(w.blocks)
	semi, nearest, bucket := make([]int, n), make([]int, n), make([][]int, n)
	forest := newForest(n, semi)
	for v := range semi {
		semi[v] = v
	}
	for v := n - 1; v > 0; v-- {
		for _, b := range before[w.blocks[v]] {
			semi[v] = min(semi[v], semi[forest.least(w.number[b])])
		}
		bucket[semi[v]] = append(bucket[semi[v]], v)
		parent := w.parent[v]
		forest.ancestor[v] = parent
		for _, u := range bucket[parent] {
			if nearest[u] = parent; semi[forest.least(u)] < parent {
				nearest[u] = forest.least(u)
			}
		}
		bucket[parent] = nil
	}
	for v := 1; v < n; v++ {
		if nearest[v] != semi[v] {
			nearest[v] = nearest[nearest[v]]
		}
	}
	return w.tree(nearest, len(f.Blocks))
}

// walk is the reached blocks in the order of a walk in depth (preorder).
type walk struct {
	blocks []int // by number
	parent []int // numbers
	number []int // by block
}

// walk walks through the blocks depth first, and numbers them as they are met.
func (f *Flow) walk() *walk {
	w := &walk{number: make([]int, len(f.Blocks))}
	type visit struct{ block, next int }
	seen := make([]bool, len(f.Blocks))
	enter := func(block, parent int) visit {
		seen[block] = true
		w.number[block] = len(w.blocks)
		w.blocks, w.parent = append(w.blocks, block), append(w.parent, parent)
		return visit{block, 0}
	}
	stack := []visit{enter(0, 0)}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		successors := f.Blocks[top.block].Successors
		if top.next == len(successors) {
			stack = stack[:len(stack)-1]
			continue
		}
		to := successors[top.next]
		top.next++
		if !seen[to] {
			stack = append(stack, enter(to, w.number[top.block]))
		}
	}
	return w
}

// tree turns nearest dominators by number into those by block, with intervals.
func (w *walk) tree(nearest []int, blocks int) *tree {
	t := &tree{make([]int, blocks), make([]int, blocks), make([]int, blocks)}
	for b := range t.nearest {
		t.nearest[b] = -1
	}
	size := make([]int, len(nearest)) // blocks dominated, itself among them
	for v := len(nearest) - 1; v >= 0; v-- {
		if size[v]++; v > 0 {
			size[nearest[v]] += size[v]
		}
	}
	next := make([]int, len(nearest)) // where the next one below begins
	for v, b := range w.blocks {
		first := 0
		if v > 0 {
			first = next[nearest[v]]
			next[nearest[v]] += size[v]
		}
		next[v] = first + 1
		t.nearest[b], t.first[b], t.last[b] = w.blocks[nearest[v]], first, first+size[v]-1
	}
	return t
}

// forest is what of the walk's tree is linked so far.
type forest struct {
	ancestor []int // -1: a root
	label    []int // with the least semidominator on the way up to the ancestor
	semi     []int
	way      []int
}

// newForest is for n blocks, none linked yet.
func newForest(n int, semi []int) *forest {
	f := &forest{make([]int, n), make([]int, n), semi, nil}
	for v := range n {
		f.ancestor[v], f.label[v] = -1, v
	}
	return f
}

// least is the vertex with the least semidominator on the way from v to its root, without that. The way is shortened.
func (f *forest) least(v int) int {
	if f.ancestor[v] < 0 {
		return v
	}
	f.way = f.way[:0]
	for u := v; f.ancestor[f.ancestor[u]] >= 0; u = f.ancestor[u] {
		f.way = append(f.way, u)
	}
	for i := len(f.way) - 1; i >= 0; i-- {
		u := f.way[i]
		above := f.ancestor[u]
		if f.semi[f.label[above]] < f.semi[f.label[u]] {
			f.label[u] = f.label[above]
		}
		f.ancestor[u] = f.ancestor[above]
	}
	return f.label[v]
}
