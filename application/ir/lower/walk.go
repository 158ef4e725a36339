package lower

import (
	"strings"

	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// walk follows a function from a block until another, or until it returns; it tells whether it came there. way is how the block is reached.
func (l *lowerer) walk(f *frame, b, until *block) bool {
	for b != nil && b != until {
		if lp := f.loops[len(f.loops)-1]; !lp.in[b] {
			f.left = b
			return false
		}
		if lp := f.loops[len(f.loops)-1]; b == lp.header && f.from != nil && lp.in[f.from.block()] {
			return false // the iteration ends
		}
		if lp := f.graph.loops[b]; lp != nil && (f.loops[len(f.loops)-1] != lp) {
			b = l.loop(f, lp)
			continue
		}
		b = l.through(f, b, until)
	}
	return b != nil
}

// block is one of the blocks that a way leads over last.
func (w *way) block() *block {
	for w.pred == nil {
		w = w.a
	}
	return w.pred
}

// through follows one block and what its end branches to, up to where the branches meet. It gives the block behind.
func (l *lowerer) through(f *frame, b, until *block) *block {
	l.phis(f, b)
	l.block(f, b)
	return l.leave(f, b, until)
}

// phis gives the values that are chosen by the way on which a block is reached.
func (l *lowerer) phis(f *frame, b *block) {
	type chosen struct {
		in *text.Inst
		v  val
	}
	var all []chosen
	for _, in := range b.Insts {
		if strings.HasPrefix(in.Op, "dbg.") {
			continue
		}
		if in.Op != "phi" {
			break
		}
		all = append(all, chosen{in, l.phi(f, in, f.from)})
	}
	for _, c := range all {
		f.vals[c.in.Name] = l.toldOf(f, c.in, l.chosenBy(f, b, c.in, c.v))
	}
}

// phi is the value that comes on a way.
func (l *lowerer) phi(f *frame, in *text.Inst, w *way) val {
	switch {
	case w == nil:
		return unknown("it is not followed")
	case w.pred == nil:
		a, b := l.phi(f, in, w.a), l.phi(f, in, w.b)
		if w.cond == nil {
			if v, ok := l.neighbour(f, in, a, b); ok {
				return v
			}
		}
		v := choose(w.cond, a, b)
		if v.kind == data && !same(a, b) {
			return l.merging(f, in, v.why)
		}
		return v
	}
	for i, name := range in.Blocks {
		if name == w.pred.Name && i < len(in.Args) {
			v := l.operand(f, in.Args[i])
			if v.kind == data && v.flow.Kind != nest.Const {
				if n, ok := f.scalar[in.Name]; ok {
					return val{flow: nest.Value{Kind: nest.Scalar, N: n}, why: v.why}
				}
			}
			return v
		}
	}
	return unknown("it is not followed")
}

// merging is a value that data chooses.
func (l *lowerer) merging(f *frame, in *text.Inst, why string) val {
	return val{flow: nest.Value{Kind: nest.Scalar, N: l.scalarOf(f, in.Name)}, why: why}
}

// block follows the instructions of a block but its phis and its end.
func (l *lowerer) block(f *frame, b *block) {
	last := b.Last()
	for _, in := range b.Insts {
		if in.Op == "phi" || in == last && in.Op != "invoke" && in.Op != "callbr" {
			continue
		}
		l.step(in)
		v := l.toldOf(f, in, l.instruction(f, in))
		if in.Name != "" {
			f.vals[in.Name] = v
		}
	}
}

// leave follows the end of a block.
func (l *lowerer) leave(f *frame, b, until *block) *block {
	last := b.Last()
	if last == nil {
		return nil
	}
	if last.Op == "ret" {
		v := val{}
		if len(last.Args) > 0 {
			v = l.operand(f, last.Args[0])
		}
		f.returns = append(f.returns, v)
		return nil
	}
	if stay, ok := f.exits[b]; ok { // the end of a loop, which is looked at elsewhere
		f.from = &way{pred: b}
		return stay
	}
	to := b.succs
	switch {
	case len(to) == 0:
		return nil
	case len(to) == 1:
		f.from = &way{pred: b}
		return to[0]
	case last.Op == "switch":
		return l.switching(f, b, last, until)
	case last.Op != "br" || len(to) != 2 || len(last.Args) == 0:
		l.fail(l.place(last), traceRemedy, "a jump to a place that is computed")
	}
	return l.branch(f, b, last, l.toldCondition(f, last.Args[0]), to[0], to[1], until)
}

// branch follows a condition: one side where it is known, both where it is not.
func (l *lowerer) branch(f *frame, b *block, in *text.Inst, c val, yes, no, until *block) *block {
	switch {
	case c.kind == once:
		return l.onceOnly(f, b, in, c, yes, no)
	case c.kind == integer && l.always(c.e):
		f.from = &way{pred: b}
		return yes
	case c.kind == integer && l.never(c.e):
		f.from = &way{pred: b}
		return no
	}
	cond := c.e
	if c.kind != integer {
		cond = nil
	}
	meet := f.loops[len(f.loops)-1].after[b]
	if meet == nil {
		meet = until
	}
	return l.either(f, b, in, cond, yes, no, meet)
}

// either follows both sides of a condition up to where they meet; cond is nil where it depends on data.
func (l *lowerer) either(f *frame, b *block, in *text.Inst, cond *expr.Expr, yes, no, meet *block) *block {
	before := l.memory.clone()
	side := func(c *expr.Expr, to *block) (nodes []nest.Node, arrived bool, from *way, after memory) {
		f.from = &way{pred: b}
		l.memory = before.clone()
		nodes = l.collect(func() {
			l.under(c, func() { arrived = l.walk(f, to, meet) })
		})
		if f.left != nil {
			f.left = nil
			l.fail(l.place(in), traceRemedy, "how often this loop runs depends on data")
		}
		return nodes, arrived, f.from, l.memory
	}
	var not *expr.Expr
	if cond != nil {
		not = expr.Unary(expr.OpNot, cond)
	}
	then, arrived1, from1, memory1 := side(cond, yes)
	other, arrived2, from2, memory2 := side(not, no)
	l.sides(in, cond, then, other)
	switch {
	case arrived1 && arrived2:
		f.from, l.memory = &way{cond: cond, a: from1, b: from2}, merged(cond, memory1, memory2)
		return meet
	case arrived1:
		f.from, l.memory = from1, memory1
		return meet
	case arrived2:
		f.from, l.memory = from2, memory2
		return meet
	}
	l.memory = merged(cond, memory1, memory2)
	return nil
}

// sides emits what the two sides of a condition do.
func (l *lowerer) sides(in *text.Inst, cond *expr.Expr, then, other []nest.Node) {
	switch {
	case len(then)+len(other) == 0 || l.dry > 0:
	case cond == nil:
		if side, one := nest.Either(then, other); one {
			l.warn(l.place(in), "the condition is not known before the run; of its two sides, which both have loops, the one with more accesses is counted")
			l.count(len(side))
			*l.out = append(*l.out, side...)
			return
		}
		if hasAccess(then) || hasAccess(other) {
			l.warn(l.place(in), "the condition is not known before the run; both sides are counted as executed")
		}
		l.count(len(then) + len(other))
		*l.out = append(append(*l.out, then...), other...)
	case len(then) == 0:
		l.emit(l.guarded(&nest.If{Cond: expr.Unary(expr.OpNot, cond), Then: other, Pos: l.place(in)}))
	default:
		l.emit(l.guarded(&nest.If{Cond: cond, Then: then, Else: other, Pos: l.place(in)}))
	}
}

// guarded is a loop alone where a condition says no more than that the loop has iterations.
func (l *lowerer) guarded(n *nest.If) nest.Node {
	if len(n.Then) != 1 || len(n.Else) > 0 {
		return n
	}
	lp, ok := n.Then[0].(*nest.Loop)
	if !ok || lp.Step != 1 {
		return n
	}
	if c := n.Cond; c.Op == expr.OpNe && c.A.Op == expr.OpVar && c.B.Op == expr.OpConst {
		m := map[expr.Var]*expr.Expr{expr.Var(c.A.K): c.B}
		if d := minus(lp.Hi.Substitute(m), lp.Lo.Substitute(m)); d.Op == expr.OpConst && d.K < 0 {
			return lp
		}
	}
	for _, k := range slack(n.Cond) {
		if expr.Equal(k, minus(lp.Hi, lp.Lo)) {
			return lp
		}
	}
	forms, ok1 := expr.ConditionForms(n.Cond)
	span, ok2 := expr.AffineOf(minus(lp.Hi, lp.Lo))
	if !ok1 || !ok2 {
		return n
	}
	for _, a := range forms {
		if d := span.Plus(a, -1); len(d.Terms) > 0 || d.K != 0 {
			return n
		}
	}
	return lp
}

// hasAccess tells whether nodes touch memory.
func hasAccess(nodes []nest.Node) bool {
	found := false
	nest.Walk(nodes, func(n nest.Node) {
		if s, ok := n.(*nest.Stmt); ok && len(s.Accesses) > 0 {
			found = true
		}
	})
	return found
}

// switching follows a switch: the case of a known value, else one case after the other.
func (l *lowerer) switching(f *frame, b *block, in *text.Inst, until *block) *block {
	c := l.operand(f, in.Args[0])
	if c.kind == once {
		return l.onceOnly(f, b, in, c, f.byName[in.Blocks[min(1, len(in.Blocks)-1)]], f.byName[in.Blocks[0]])
	}
	f.from = &way{pred: b}
	if n, ok := c.isConstant(); ok {
		for i, a := range in.Args[1:] {
			if a.Kind == text.Number && a.Int == n {
				return f.byName[in.Blocks[i+1]]
			}
		}
		return f.byName[in.Blocks[0]]
	}
	meet := f.loops[len(f.loops)-1].after[b]
	if meet == nil {
		meet = until
	}
	return l.cases(f, b, in, c, 1, meet)
}

// cases follows the cases of a switch from one on.
func (l *lowerer) cases(f *frame, b *block, in *text.Inst, c val, i int, meet *block) *block {
	if i >= len(in.Args) || i >= len(in.Blocks) {
		f.from = &way{pred: b}
		to := f.byName[in.Blocks[0]]
		if l.walk(f, to, meet) {
			return meet
		}
		return nil
	}
	var cond *expr.Expr
	if c.kind == integer {
		cond = expr.Binary(expr.OpEq, c.e, expr.Int(in.Args[i].Int))
	}
	before := l.memory.clone()
	var arrived1, arrived2 bool
	f.from = &way{pred: b}
	then := l.collect(func() { l.under(cond, func() { arrived1 = l.walk(f, f.byName[in.Blocks[i]], meet) }) })
	from1, memory1 := f.from, l.memory
	l.memory = before
	other := l.collect(func() { arrived2 = l.cases(f, b, in, c, i+1, meet) == meet && meet != nil })
	from2, memory2 := f.from, l.memory
	l.sides(in, cond, then, other)
	l.memory = merged(cond, memory1, memory2)
	switch {
	case arrived1 && arrived2:
		f.from = &way{cond: cond, a: from1, b: from2}
	case arrived1:
		f.from = from1
	case !arrived2:
		return nil
	}
	return meet
}
