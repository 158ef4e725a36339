package sass

import (
	"cmp"
	"fmt"
	"slices"
)

// Block is a basic block: code that is entered at its first and left at its last instruction.
type Block struct {
	Label       string // of its first instruction: .L_1, or its address such as 0x48
	First, Last int    // instructions of the kernel
	Successors  []int  // blocks, in order
	Reached     bool   // from the kernel's beginning; padding and what only unknown branches lead to is not
	Loop        int    // the innermost loop that it is in; -1: none
	Counts      Counts
	Pairs       int // pairs of its instructions that are issued together
}

// Issues is how many times something is issued: a pair counts once.
func (b *Block) Issues() float64 { return float64(b.Last - b.First + 1 - b.Pairs) }

// Loop is a natural loop: the blocks from which a branch back to the header is reached without passing it.
type Loop struct {
	Header    int    // block
	Label     string // of the header
	Size      int    // blocks, those of inner loops among them
	Parent    int    // the next loop around it; -1: none
	Depth     int    // 1: in no other loop
	Innermost bool
	// Conditional are blocks that some rounds pass by.
	Conditional int
	Calls       bool
}

// Flow is the blocks and loops of a kernel.
type Flow struct {
	Kernel *Kernel
	Blocks []Block
	Loops  []Loop // by header
	// Warnings say what cannot be told.
	Warnings []string
	calls    []bool // by block
	nesting  []int  // loops, each after that around it
}

// Flow finds a kernel's blocks from the targets of its branches, and its loops.
func (k *Kernel) Flow() *Flow {
	f := &Flow{Kernel: k}
	all := k.ends()
	f.split(all)
	f.reach()
	f.count()
	f.warn(all)
	f.findLoops()
	return f
}

// split makes blocks.
func (f *Flow) split(all []ends) {
	starts := make([]bool, len(all)+1)
	starts[0] = true
	for i, e := range all {
		for _, to := range e.targets {
			starts[to] = true
		}
		starts[i+1] = starts[i+1] || e.leaves
	}
	blockOf := make([]int, len(all))
	for i := range all {
		if in := &f.Kernel.Instructions[i]; starts[i] {
			label := cmp.Or(in.Label, fmt.Sprintf("0x%x", in.Address))
			f.Blocks = append(f.Blocks, Block{Label: label, First: i, Loop: -1})
		}
		blockOf[i] = len(f.Blocks) - 1
		f.Blocks[len(f.Blocks)-1].Last = i
	}
	f.calls = make([]bool, len(f.Blocks))
	for i := range f.Blocks {
		b := &f.Blocks[i]
		e := all[b.Last]
		f.calls[i] = e.calls
		if e.through && i+1 < len(f.Blocks) {
			b.Successors = append(b.Successors, i+1)
		}
		for _, to := range e.targets {
			b.Successors = append(b.Successors, blockOf[to])
		}
		slices.Sort(b.Successors)
		b.Successors = slices.Compact(b.Successors)
	}
}

// reach marks the blocks that can be run.
func (f *Flow) reach() {
	work := []int{0}
	f.Blocks[0].Reached = true
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range f.Blocks[b].Successors {
			if !f.Blocks[next].Reached {
				f.Blocks[next].Reached = true
				work = append(work, next)
			}
		}
	}
}

// count counts the instructions of each block by kind, and the pairs that are issued at once.
func (f *Flow) count() {
	pairs := f.Kernel.Pairs()
	for i := range f.Blocks {
		b := &f.Blocks[i]
		for j := b.First; j <= b.Last; j++ {
			b.Counts[f.Kernel.Instructions[j].Kind()]++
			if pairs[j] && j < b.Last {
				b.Pairs++
			}
		}
	}
}

// warn says what the text does not tell of branches.
func (f *Flow) warn(all []ends) {
	unreached, unknown := 0, 0
	for i := range f.Blocks {
		b := &f.Blocks[i]
		if !b.Reached {
			unreached += int(b.Counts.OffChip() + b.Counts.sum(Kind.Computes))
		} else if all[b.Last].unknown {
			unknown++
		}
	}
	if unknown > 0 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("the targets of %d branches are not in the text; loops through them are not seen", unknown))
	}
	if unreached > 0 {
		f.Warnings = append(f.Warnings, fmt.Sprintf("%d instructions of arithmetic and memory are reached by no branch that the text tells; they are not counted", unreached))
	}
}
