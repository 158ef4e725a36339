package sass

import (
	"fmt"
	"slices"
)

// order gives the reached blocks so that each comes before those it leads to, but for branches back (reverse postorder).
func (f *Flow) order() []int {
	type visit struct{ block, next int }
	seen := make([]bool, len(f.Blocks))
	var out []int
	stack := []visit{{0, 0}}
	seen[0] = true
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		successors := f.Blocks[top.block].Successors
		if top.next == len(successors) {
			out = append(out, top.block)
			stack = stack[:len(stack)-1]
			continue
		}
		to := successors[top.next]
		top.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, visit{to, 0})
		}
	}
	slices.Reverse(out)
	return out
}

// dominators gives for each reached block the nearest one that every way to it passes, after Cooper, Harvey and Kennedy, "A Simple, Fast
// Dominance Algorithm"; -1 for blocks that are not reached.
func (f *Flow) dominators(order []int) (nearest, rank []int) {
	nearest, rank = make([]int, len(f.Blocks)), make([]int, len(f.Blocks))
	for i := range nearest {
		nearest[i] = -1
	}
	for i, b := range order {
		rank[b] = i
	}
	before := f.predecessors()
	nearest[0] = 0
	for changed := true; changed; {
		changed = false
		for _, b := range order[1:] {
			common := -1
			for _, p := range before[b] {
				if nearest[p] < 0 {
					continue
				}
				if common < 0 {
					common = p
				}
				for p != common {
					if rank[p] > rank[common] {
						p = nearest[p]
					} else {
						common = nearest[common]
					}
				}
			}
			if nearest[b] != common {
				nearest[b], changed = common, true
			}
		}
	}
	return nearest, rank
}

func (f *Flow) predecessors() [][]int {
	before := make([][]int, len(f.Blocks))
	for i := range f.Blocks {
		if f.Blocks[i].Reached {
			for _, to := range f.Blocks[i].Successors {
				before[to] = append(before[to], i)
			}
		}
	}
	return before
}

// dominates says whether every way to b passes a.
func dominates(nearest []int, a, b int) bool {
	for b != a && b != 0 {
		b = nearest[b]
	}
	return b == a
}

// findLoops finds the natural loops: those of one header are one loop.
func (f *Flow) findLoops() {
	order := f.order()
	nearest, rank := f.dominators(order)
	before := f.predecessors()
	bodies := map[int][]int{}
	odd := 0
	for _, b := range order {
		for _, to := range f.Blocks[b].Successors {
			switch {
			case dominates(nearest, to, b):
				f.back = append(f.back, [2]int{b, to})
				bodies[to] = append(bodies[to], f.body(before, b, to)...)
			case rank[to] <= rank[b]:
				odd++
			}
		}
	}
	if odd > 0 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("%d branches go back into loops with several entries; these loops are not seen", odd))
	}
	for header := range f.Blocks {
		if body := bodies[header]; body != nil {
			slices.Sort(body)
			f.Loops = append(f.Loops, Loop{Header: header, Label: f.Blocks[header].Label, Blocks: slices.Compact(body), Parent: -1, Depth: 1, Innermost: true})
		}
	}
	f.nest()
	for i := range f.Loops {
		f.describe(&f.Loops[i], nearest)
	}
}

// body is the blocks from which from is reached without passing header.
func (f *Flow) body(before [][]int, from, header int) []int {
	in := map[int]bool{header: true}
	work := []int{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !in[b] {
			in[b] = true
			work = append(work, before[b]...)
		}
	}
	var out []int
	for b := range f.Blocks {
		if in[b] {
			out = append(out, b)
		}
	}
	return out
}

// nest finds parents: the smallest loop around another's header.
func (f *Flow) nest() {
	contains := func(l *Loop, block int) bool {
		_, ok := slices.BinarySearch(l.Blocks, block)
		return ok
	}
	for i := range f.Loops {
		for j := range f.Loops {
			if i == j || !contains(&f.Loops[j], f.Loops[i].Header) {
				continue
			}
			f.Loops[i].Depth++
			f.Loops[j].Innermost = false
			if p := f.Loops[i].Parent; p < 0 || len(f.Loops[j].Blocks) < len(f.Loops[p].Blocks) {
				f.Loops[i].Parent = j
			}
		}
	}
	for i := range f.Loops {
		for _, b := range f.Loops[i].Blocks {
			if at := f.Blocks[b].Loop; at < 0 || f.Loops[i].Depth > f.Loops[at].Depth {
				f.Blocks[b].Loop = i
			}
		}
	}
}

// describe counts what some rounds pass by: own blocks that do not dominate every branch back.
func (f *Flow) describe(l *Loop, nearest []int) {
	for _, b := range l.Blocks {
		l.Calls = l.Calls || f.calls[b]
		always := true
		for _, e := range f.back {
			always = always && (e[1] != l.Header || dominates(nearest, b, e[0]))
		}
		if !always && f.Blocks[b].Loop >= 0 && f.Loops[f.Blocks[b].Loop].Header == l.Header {
			l.Conditional++
		}
	}
}
