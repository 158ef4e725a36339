package sass

import (
	"fmt"
	"slices"
)

// predecessors are the blocks that each block is reached from.
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

// findLoops finds the natural loops: those of one header are one loop. Two loops lie one within the other or have no block in common.
func (f *Flow) findLoops() {
	before := f.predecessors()
	t := f.dominators(before)
	back := f.back(t)
	for header := range f.Blocks {
		if len(back[header]) > 0 {
			f.Loops = append(f.Loops, Loop{Header: header, Label: f.Blocks[header].Label, Parent: -1, Innermost: true})
			f.nesting = append(f.nesting, len(f.Loops)-1)
		}
	}
	slices.SortFunc(f.nesting, func(i, j int) int { return t.first[f.Loops[i].Header] - t.first[f.Loops[j].Header] })
	f.bodies(before, back)
	for _, i := range f.nesting {
		l := &f.Loops[i]
		if l.Depth = 1; l.Parent >= 0 {
			l.Depth += f.Loops[l.Parent].Depth
			f.Loops[l.Parent].Innermost = false
		}
	}
	f.describe(t, back)
}

// back gives by header the blocks that branch back to it, and warns of branches back to what is no header: into loops with several entries.
func (f *Flow) back(t *tree) [][]int {
	back := make([][]int, len(f.Blocks))
	rank := f.ranks()
	odd := 0
	for b := range f.Blocks {
		if !f.Blocks[b].Reached {
			continue
		}
		for _, to := range f.Blocks[b].Successors {
			if t.dominates(to, b) {
				back[to] = append(back[to], b)
			} else if rank[to] <= rank[b] {
				odd++
			}
		}
	}
	if odd > 0 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("%d branches go back into loops with several entries; these loops are not seen", odd))
	}
	return back
}

// ranks number the reached blocks so that each comes before those it leads to, but for branches back (reverse postorder).
func (f *Flow) ranks() []int {
	type visit struct{ block, next int }
	rank := make([]int, len(f.Blocks))
	seen := make([]bool, len(f.Blocks))
	stack := []visit{{0, 0}}
	seen[0] = true
	for left := len(f.Blocks); len(stack) > 0; {
		top := &stack[len(stack)-1]
		successors := f.Blocks[top.block].Successors
		if top.next == len(successors) {
			left--
			rank[top.block] = left
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
	return rank
}

// bodies gives each block its innermost loop, and each loop the one around it. Inner loops come first; once it is known, a loop is one block
// for those around it, its header, by which alone it is entered.
func (f *Flow) bodies(before, back [][]int) {
	outer := make([]int, len(f.Blocks)) // of a block in a loop, its header; else itself
	for b := range outer {
		outer[b] = b
	}
	whole := func(b int) int {
		for outer[b] != b {
			outer[b] = outer[outer[b]]
			b = outer[b]
		}
		return b
	}
	for _, i := range slices.Backward(f.nesting) {
		header := f.Loops[i].Header
		f.Blocks[header].Loop = i
		work := slices.Clone(back[header])
		for len(work) > 0 {
			b := whole(work[len(work)-1])
			work = work[:len(work)-1]
			if b == header {
				continue
			}
			outer[b] = header
			if inner := f.Blocks[b].Loop; inner >= 0 {
				f.Loops[inner].Parent = i
			} else {
				f.Blocks[b].Loop = i
			}
			work = append(work, before[b]...)
		}
	}
}

// describe counts blocks, and what some rounds pass by: own blocks that do not dominate every branch back.
func (f *Flow) describe(t *tree, back [][]int) {
	for header, from := range back {
		back[header] = t.extremes(from)
	}
	for b := range f.Blocks {
		i := f.Blocks[b].Loop
		if i < 0 {
			continue
		}
		l := &f.Loops[i]
		l.Size++
		l.Calls = l.Calls || f.calls[b]
		always := true
		for _, from := range back[l.Header] {
			always = always && t.dominates(b, from)
		}
		if !always {
			l.Conditional++
		}
	}
	for _, i := range slices.Backward(f.nesting) {
		l := &f.Loops[i]
		if l.Parent >= 0 {
			f.Loops[l.Parent].Size += l.Size
			f.Loops[l.Parent].Calls = f.Loops[l.Parent].Calls || l.Calls
		}
	}
}

// BlocksOf is the blocks of a loop, those of inner ones among them, in order.
func (f *Flow) BlocksOf(loop int) (blocks []int) {
	within := make([]bool, len(f.Loops))
	for _, i := range f.nesting {
		within[i] = i == loop || f.Loops[i].Parent >= 0 && within[f.Loops[i].Parent]
	}
	for b := range f.Blocks {
		if i := f.Blocks[b].Loop; i >= 0 && within[i] {
			blocks = append(blocks, b)
		}
	}
	return blocks
}
