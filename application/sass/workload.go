package sass

import (
	"fmt"
	"slices"
	"strings"
)

// What a choice of blocks may be besides a label.
const (
	InnerLoop = "loop" // the innermost loop
	WholeCode = "all"  // everything that is reached
)

// What may count as an operation.
const (
	AllInstructions = "all"        // as section V of the paper counts
	Arithmetic      = "arithmetic" // floating point and integers
	Floating        = "floating"   // floating point
)

// Choice says which blocks make the workload, and how often each is run.
type Choice struct {
	// Blocks is InnerLoop, WholeCode, or a label: of a loop's header the loop, else the block. Empty: WholeCode where Trips has
	// anything, else InnerLoop.
	Blocks string
	// Trips are rounds of loops by their header's label, for each time that the loop is entered.
	Trips map[string]float64
	// Operations is what counts as one; empty: AllInstructions.
	Operations string
}

// Workload is what a warp does in the chosen blocks.
type Workload struct {
	Of         string    // what was chosen, in words
	Weights    []float64 // of blocks: how often each is run; 0: not chosen
	Counts     Counts    // instructions
	Operations float64   // those that count
	Issues     float64   // a pair counts once
	Bytes      float64   // that a request moves for a thread, on average
	Z          float64   // operations a request to off-chip memory
	E          float64   // instructions issued at once, from 1 to 2
	Warnings   []string
	Doubts     []string // about E alone
}

// Workload counts. As in section V of the paper Z is all instructions over those of off-chip memory (global, local, texture), and E is the
// average number of instructions that are issued at once, both weighted by how often blocks are run; the weighting is that of counts, not of
// each block's ratio, which blocks without requests do not have: Z = Σ w·instructions / Σ w·requests, E = Σ w·instructions / Σ w·issues.
func (f *Flow) Workload(c Choice) (*Workload, error) {
	w := &Workload{Weights: make([]float64, len(f.Blocks)), Warnings: slices.Clone(f.Warnings)}
	operation, err := operationOf(c.Operations)
	if err != nil {
		return nil, err
	}
	if err := f.checkTrips(c.Trips); err != nil {
		return nil, err
	}
	chosen, root, err := f.choose(c, w)
	if err != nil {
		return nil, err
	}
	f.weigh(w, chosen, root, c.Trips)
	bytes := 0.0
	for i, weight := range w.Weights {
		b := &f.Blocks[i]
		for kind, n := range b.Counts {
			w.Counts[kind] += weight * n
		}
		w.Issues += weight * b.Issues()
		for j := b.First; j <= b.Last; j++ {
			if in := &f.Kernel.Instructions[j]; in.Kind().OffChip() {
				bytes += weight * float64(in.Bytes())
			}
		}
	}
	w.Operations = w.Counts.sum(operation)
	requests := w.Counts.OffChip()
	if requests == 0 {
		return nil, fmt.Errorf("%s: %s asks nothing of off-chip memory: there is no Z; %s", f.Kernel.Name, w.Of, f.remedy())
	}
	if w.Operations == 0 {
		return nil, fmt.Errorf("%s: %s has no operations that count as %s; there is no Z", f.Kernel.Name, w.Of, c.Operations)
	}
	w.Z, w.E, w.Bytes = w.Operations/requests, w.Counts.All()/w.Issues, bytes/requests
	f.doubts(w)
	return w, nil
}

// operationOf says which kinds count as operations, by the name of the choice.
func operationOf(name string) (func(Kind) bool, error) {
	switch name {
	case "", AllInstructions:
		return func(Kind) bool { return true }, nil
	case Arithmetic:
		return Kind.Computes, nil
	case Floating:
		return Kind.Floats, nil
	}
	return nil, fmt.Errorf("operations %q are not known; there are %s, %s, %s", name, AllInstructions, Arithmetic, Floating)
}

func (f *Flow) remedy() string {
	if len(f.Loops) > 0 {
		return fmt.Sprintf("choose another block, or the whole code with the trips of its loops (%s)", f.loopNames(-1))
	}
	return "choose another block or kernel"
}

// loopNames lists the labels of loops, without that of one.
func (f *Flow) loopNames(without int) string {
	var names []string
	for i := range f.Loops {
		if i != without {
			names = append(names, f.Loops[i].Label)
		}
	}
	return some(names)
}

// some lists the first of very many names.
func some(names []string) string {
	const most = 50
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// checkTrips refuses rounds of loops that there are not.
func (f *Flow) checkTrips(trips map[string]float64) error {
	known := make(map[string]bool, len(f.Loops))
	for i := range f.Loops {
		known[f.Loops[i].Label] = true
	}
	var unknown []string
	for label, n := range trips {
		if !(n > 0) || n > 1e18 {
			return fmt.Errorf("trips of %s are %g; give a number above 0", label, n)
		}
		if !known[label] {
			unknown = append(unknown, label)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	if len(f.Loops) == 0 {
		return fmt.Errorf("%s has no loop at %s: it has none", f.Kernel.Name, strings.Join(unknown, ", "))
	}
	return fmt.Errorf("%s has no loop at %s; there are %s", f.Kernel.Name, strings.Join(unknown, ", "), f.loopNames(-1))
}

// choose finds the blocks, and the loop that is all of them; -1: none is.
func (f *Flow) choose(c Choice, w *Workload) (chosen []int, root int, err error) {
	name := c.Blocks
	if name == "" && len(c.Trips) > 0 {
		name = WholeCode
	}
	switch {
	case name == "" || name == InnerLoop:
		if len(f.Loops) > 0 {
			root = f.innerLoop(w)
			return f.loopBlocks(w, root), root, nil
		}
		if name == InnerLoop {
			return nil, -1, fmt.Errorf("%s has no loop that the text tells; choose %s or a block", f.Kernel.Name, WholeCode)
		}
		w.Warnings = append(w.Warnings, "there is no loop: all code counts once")
		fallthrough
	case name == WholeCode:
		w.Of = "the whole code"
		for i := range f.Blocks {
			if f.Blocks[i].Reached {
				chosen = append(chosen, i)
			}
		}
		return chosen, -1, nil
	}
	if i := slices.IndexFunc(f.Loops, func(l Loop) bool { return l.Label == name }); i >= 0 {
		return f.loopBlocks(w, i), i, nil
	}
	if i := slices.IndexFunc(f.Blocks, func(b Block) bool { return b.Label == name }); i >= 0 {
		w.Of = "the block at " + name
		return []int{i}, f.Blocks[i].Loop, nil
	}
	var names []string
	for i := range f.Blocks {
		if f.Blocks[i].Reached {
			names = append(names, f.Blocks[i].Label)
		}
	}
	return nil, -1, fmt.Errorf("%s has no block at %s; there are %s", f.Kernel.Name, name, some(names))
}

// loopBlocks are the blocks of a loop, with warnings of what makes it uneven.
func (f *Flow) loopBlocks(w *Workload, i int) []int {
	l := &f.Loops[i]
	w.Of = fmt.Sprintf("the loop at %s", l.Label)
	if l.Conditional > 0 {
		w.Warnings = append(w.Warnings, fmt.Sprintf("%d blocks of %s are passed by in some rounds; they count as if each round ran them", l.Conditional, w.Of))
	}
	if l.Calls {
		w.Warnings = append(w.Warnings, fmt.Sprintf("%s calls functions; what they do is not counted", w.Of))
	}
	return f.BlocksOf(i)
}

// innerLoop is the innermost loop with requests that is deepest; of several the one with most requests.
func (f *Flow) innerLoop(w *Workload) int {
	best, most, several := -1, 0.0, 0
	own := make([]float64, len(f.Loops))
	for b := range f.Blocks {
		if i := f.Blocks[b].Loop; i >= 0 {
			own[i] += f.Blocks[b].Counts.OffChip()
		}
	}
	for i := range f.Loops {
		l, requests := &f.Loops[i], own[i]
		if !l.Innermost {
			continue
		}
		several++
		if best < 0 || (requests > 0) != (most > 0) && requests > 0 ||
			(requests > 0) == (most > 0) && (l.Depth > f.Loops[best].Depth || l.Depth == f.Loops[best].Depth && requests > most) {
			best, most = i, requests
		}
	}
	if several > 1 {
		w.Warnings = append(w.Warnings, fmt.Sprintf("of %d innermost loops that at %s is taken, the deepest with most requests; the others count nothing: choose another of the loops (%s), or give trips of all",
			several, f.Loops[best].Label, f.loopNames(best)))
	}
	return best
}

// weigh gives the chosen blocks the product of trips of the loops around them within root.
func (f *Flow) weigh(w *Workload, chosen []int, root int, trips map[string]float64) {
	weights := make([]float64, len(f.Loops))
	for _, i := range f.nesting {
		weights[i] = 1
		if l := &f.Loops[i]; i != root {
			if l.Parent >= 0 {
				weights[i] = weights[l.Parent]
			}
			if n, known := trips[l.Label]; known {
				weights[i] *= n
			}
		}
	}
	within := make([]bool, len(f.Loops)) // around a chosen block
	for _, b := range chosen {
		w.Weights[b] = 1
		if i := f.Blocks[b].Loop; i >= 0 {
			w.Weights[b], within[i] = weights[i], true
		}
	}
	var lack []string
	for _, i := range slices.Backward(f.nesting) {
		l := &f.Loops[i]
		if !within[i] || i == root {
			continue
		}
		if l.Parent >= 0 {
			within[l.Parent] = true
		}
		if _, known := trips[l.Label]; !known {
			lack = append(lack, l.Label)
		}
	}
	slices.Sort(lack)
	if lack = slices.Compact(lack); len(lack) > 0 {
		w.Warnings = append(w.Warnings, fmt.Sprintf("trips of loops are not known and taken as 1: %s", some(lack)))
	}
}

// doubts says what is not known about E.
func (f *Flow) doubts(w *Workload) {
	say := func(format string, args ...any) { w.Doubts = append(w.Doubts, fmt.Sprintf(format, args...)) }
	k := f.Kernel
	switch {
	case k.Generation() == Fermi:
		say("code for sm_%d has no issue control: E is taken as 1", k.Architecture)
	case k.Generation() == Volta:
	case !k.Controlled && !k.Braced:
		say("the text has neither control words nor braces: what is issued in pairs is not known, and E is taken as 1; print it with cuobjdump -sass")
	case k.Controlled:
		lack := 0
		for i, weight := range w.Weights {
			for j := f.Blocks[i].First; weight > 0 && j <= f.Blocks[i].Last; j++ {
				if in := &k.Instructions[j]; !in.Control.Known {
					lack++
				}
			}
		}
		if lack > 0 {
			say("the control of %d instructions is not in the text; they count as issued alone", lack)
		}
	}
}
