package lower

import (
	"slices"

	"foresee/application/ir/text"
)

// mayLeave notes that data may end a loop here, which is followed to another end: what is chosen behind it by where control comes from is not known. It fails
// where loops follow this way out alone, which nobody would count.
func (l *lowerer) mayLeave(f *frame, x, taken leaving) {
	from, after := reachable(x.out), reachable(taken.out)
	var alone []*block
	for _, b := range f.blocks {
		if from[b] && !after[b] {
			alone = append(alone, b)
		}
	}
	if f.others == nil {
		f.others = map[*block][]*block{}
	}
	note := func(to, from *block) {
		if after[to] && !slices.Contains(f.others[to], from) {
			f.others[to] = append(f.others[to], from)
		}
	}
	note(x.out, x.at)
	for _, b := range alone {
		if f.graph.loops[b] != nil {
			l.fail(l.place(x.in), traceRemedy, "what follows this loop is decided by data")
		}
		for _, to := range b.succs {
			note(to, b)
		}
	}
}

// reachable are the blocks to which control may come from one, with itself.
func reachable(from *block) map[*block]bool {
	seen := map[*block]bool{}
	next := []*block{from}
	for len(next) > 0 {
		b := next[len(next)-1]
		next = next[:len(next)-1]
		if b != nil && !seen[b] {
			seen[b] = true
			next = append(next, b.succs...)
		}
	}
	return seen
}

// chosenBy is a value that a block chooses by where control comes from, where all that it may come from agree.
func (l *lowerer) chosenBy(f *frame, b *block, in *text.Inst, v val) val {
	if v.kind != integer && v.kind != pointer {
		return v
	}
	for _, from := range f.others[b] {
		if w := l.phi(f, in, &way{pred: from}); !same(v, w) {
			return unknown("it is what it is where data end a loop")
		}
	}
	return v
}

// uncertain makes the integers unknown that a loop gives to what is behind it, of which one iteration was followed for as many as data say.
func (l *lowerer) uncertain(f *frame, lp *loop) {
	i := slices.Index(f.uncounted, lp)
	if i < 0 {
		return
	}
	f.uncounted = slices.Delete(f.uncounted, i, i+1)
	for name, b := range f.home {
		if v, ok := f.vals[name]; ok && lp.in[b] && v.kind == integer {
			f.vals[name] = unknown("it is made in a loop that data end")
		}
	}
}
