package lower

import (
	"strings"

	"foresee/application/ir/text"
)

// block is a basic block in the graph of its function.
type block struct {
	*text.Block
	n     int
	succs []*block // without those that end the program
	preds []*block
	idom  *block
	loop  *loop // innermost
}

// loop is a natural loop: from its header back to it.
type loop struct {
	header *block
	in     map[*block]bool
	outer  *loop
	early  bool              // data may end it before its bound
	after  map[*block]*block // what comes behind a block in any case, within one iteration; nil: the end of the iteration
}

// graph is a function with what its control flow says.
type graph struct {
	f      *text.Func
	blocks []*block // reachable, in reverse postorder
	byName map[string]*block
	loops  map[*block]*loop // by header
	whole  *loop            // the function itself, as if it were the body of a loop
	uses   map[string][]use
	makes  map[string]*text.Inst
	home   map[string]*block // of values
}

// use is where a value is read.
type use struct {
	in *text.Inst
	at *block
}

// graphOf builds the graph of a function. Blocks from which only the end of the program is reached (exceptions, failed assertions) are left out;
// irreducible says that control enters a loop other than by its header.
func graphOf(f *text.Func) (g *graph, irreducible bool) {
	g = &graph{f: f, byName: map[string]*block{}, loops: map[*block]*loop{}, uses: map[string][]use{}, makes: map[string]*text.Inst{}, home: map[string]*block{}}
	for _, b := range f.Blocks {
		g.byName[b.Name] = &block{Block: b}
	}
	cold := g.cold()
	for _, b := range f.Blocks {
		from := g.byName[b.Name]
		for _, name := range targets(b) {
			if to := g.byName[name]; to != nil && !cold[to] {
				from.succs = append(from.succs, to)
			}
		}
	}
	g.order(g.byName[f.Blocks[0].Name])
	g.index()
	g.dominators()
	irreducible = g.findLoops()
	g.whole = &loop{in: map[*block]bool{}}
	for _, b := range g.blocks {
		g.whole.in[b] = true
	}
	g.postdominators(g.whole)
	for _, b := range g.blocks {
		if l := g.loops[b]; l != nil {
			g.postdominators(l)
		}
	}
	return g, irreducible
}

// targets are where control goes from a block when nothing is thrown.
func targets(b *text.Block) []string {
	if last := b.Last(); last != nil && last.Op == "invoke" && len(last.Blocks) > 0 {
		return last.Blocks[:1]
	}
	return b.Targets()
}

// cold are the blocks from which every way leads to the end of the program.
func (g *graph) cold() map[*block]bool {
	cold := map[*block]bool{}
	for changed := true; changed; {
		changed = false
		for i := len(g.f.Blocks) - 1; i > 0; i-- {
			b := g.byName[g.f.Blocks[i].Name]
			if cold[b] || !g.endsBadly(b, cold) {
				continue
			}
			cold[b], changed = true, true
		}
	}
	return cold
}

func (g *graph) endsBadly(b *block, cold map[*block]bool) bool {
	last := b.Last()
	if last == nil {
		return true
	}
	switch last.Op {
	case "unreachable", "resume":
		return true
	case "ret":
		return false
	}
	all := targets(b.Block)
	for _, name := range all {
		if to := g.byName[name]; to != nil && !cold[to] {
			return false
		}
	}
	return len(all) > 0
}

// order numbers the blocks that are reached in reverse postorder.
func (g *graph) order(entry *block) {
	seen := map[*block]bool{entry: true}
	type open struct {
		b    *block
		next int
	}
	stack := []open{{entry, 0}}
	var post []*block
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(top.b.succs) {
			post = append(post, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		to := top.b.succs[top.next]
		top.next++
		if !seen[to] {
			seen[to] = true
			stack = append(stack, open{to, 0})
		}
	}
	for i := len(post) - 1; i >= 0; i-- {
		post[i].n = len(g.blocks)
		g.blocks = append(g.blocks, post[i])
	}
	for _, b := range g.blocks {
		for _, to := range b.succs {
			to.preds = append(to.preds, b)
		}
	}
}

// index notes where values are made and read.
func (g *graph) index() {
	for _, b := range g.blocks {
		for _, in := range b.Insts {
			if in.Name != "" {
				g.makes[in.Name], g.home[in.Name] = in, b
			}
			if strings.HasPrefix(in.Op, "dbg.") {
				continue
			}
			for _, a := range in.Args {
				if a.Kind == text.Local {
					g.uses[a.Name] = append(g.uses[a.Name], use{in, b})
				}
			}
		}
	}
}

// dominators finds the immediate dominator of each block (Cooper, Harvey and Kennedy: A Simple, Fast Dominance Algorithm, 2001).
func (g *graph) dominators() {
	g.blocks[0].idom = g.blocks[0]
	for changed := true; changed; {
		changed = false
		for _, b := range g.blocks[1:] {
			var idom *block
			for _, p := range b.preds {
				switch {
				case p.idom == nil:
				case idom == nil:
					idom = p
				default:
					idom = meet(idom, p)
				}
			}
			if idom != b.idom {
				b.idom, changed = idom, true
			}
		}
	}
}

func meet(a, b *block) *block {
	for a != b {
		for a.n > b.n {
			a = a.idom
		}
		for b.n > a.n {
			b = b.idom
		}
	}
	return a
}

// dominates tells whether every way to b leads over a.
func dominates(a, b *block) bool {
	for b.n > a.n {
		b = b.idom
	}
	return a == b
}

// findLoops finds the natural loops, outer before inner, and tells whether there are others.
func (g *graph) findLoops() (irreducible bool) {
	for _, b := range g.blocks {
		for _, h := range b.succs {
			if h.n > b.n {
				continue
			}
			if !dominates(h, b) {
				irreducible = true
				continue
			}
			g.addLoop(h, b)
		}
	}
	for _, b := range g.blocks {
		for _, h := range g.blocks[:b.n+1] { // headers come before their loops
			if l := g.loops[h]; l != nil && l.in[b] {
				if b == h && l.outer == nil {
					l.outer = b.loop
				}
				b.loop = l
			}
		}
	}
	return irreducible
}

// addLoop adds what leads to a latch to the loop of a header.
func (g *graph) addLoop(header, latch *block) {
	l := g.loops[header]
	if l == nil {
		l = &loop{header: header, in: map[*block]bool{header: true}}
		g.loops[header] = l
	}
	work := []*block{latch}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if l.in[b] {
			continue
		}
		l.in[b] = true
		work = append(work, b.preds...)
	}
}

// postdominators finds for the blocks of a loop what comes behind each in any case, within one iteration and without leaving it.
func (g *graph) postdominators(l *loop) {
	var order []*block // reverse: the end first
	for i := len(g.blocks) - 1; i >= 0; i-- {
		if l.in[g.blocks[i]] {
			order = append(order, g.blocks[i])
		}
	}
	end := &block{n: len(g.blocks)}
	after := map[*block]*block{end: end}
	next := func(b *block) []*block {
		var all []*block
		for _, s := range b.succs {
			switch {
			case l.in[s] && s != l.header:
				all = append(all, s)
			case s == l.header, l.header == nil:
				all = append(all, end)
			}
		}
		if len(all) == 0 {
			all = append(all, end)
		}
		return all
	}
	changed := true
	for round := 0; changed && round <= len(order); round++ {
		changed = false
		for _, b := range order {
			var found *block
			for _, s := range next(b) {
				switch {
				case after[s] == nil:
				case found == nil:
					found = s
				default:
					found = meetAfter(found, s, after)
				}
			}
			if found != nil && after[b] != found {
				after[b], changed = found, true
			}
		}
	}
	l.after = map[*block]*block{}
	for b, a := range after {
		if a != end {
			l.after[b] = a
		}
	}
}

// meetAfter is where the ways behind two blocks come together. A loop that is never left ends the search at its last block.
func meetAfter(a, b *block, after map[*block]*block) *block {
	seen := map[*block]bool{}
	for x := a; !seen[x]; x = after[x] {
		seen[x] = true
		if after[x] == nil {
			break
		}
	}
	met := map[*block]bool{}
	for x := b; ; x = after[x] {
		if seen[x] || met[x] || after[x] == nil {
			return x
		}
		met[x] = true
	}
}
