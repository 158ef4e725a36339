package lower

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// maxTried is how deep loops are lowered on trial, to see how their variables change: each depth is twice the work.
const maxTried = 4

// change is what an iteration makes of a variable: it adds a constant, or sets a value that does not depend on what it was.
type change struct {
	add int64
	set *expr.Expr // of the iteration's loop variable; nil: it adds
}

// changes are those of the variables whose value before a loop is known.
type changes struct {
	ints     map[*cc.Declarator]change
	pointers map[*cc.Declarator]change // of their offsets
}

// trial lowers one iteration, throws it away, and gives what it makes of integers and pointers whose values are known before the loop. What changes in
// another way is left out.
func (l *lowerer) trial(body []cc.Node, run func()) changes {
	ints, pointers := map[*cc.Declarator]*expr.Expr{}, map[*cc.Declarator]*expr.Expr{}
	found := changes{map[*cc.Declarator]change{}, map[*cc.Declarator]change{}}
	changed := l.changedBy(body)
	for _, d := range changed {
		if tree.IsInteger(d.Type()) && l.Ints[d] != nil {
			ints[d] = nil
		}
		if p, ok := l.Pointers[d]; ok && d.Type().Kind() == cc.Ptr && p.Object != nil {
			pointers[d] = nil
		}
	}
	if len(ints)+len(pointers) == 0 || l.tried >= maxTried {
		return found
	}
	restore, objects := l.snapshot(), l.objectsOf(pointers)
	l.forgetAll(body)
	unknown := map[expr.Var]bool{}
	fresh := func(d *cc.Declarator) *expr.Expr {
		v := l.newVar(d.Name(), expr.Int(0), expr.Int(0))
		l.Ranges[v], l.Limits[v] = expr.Whole, value.Limit{}
		unknown[v] = true
		return expr.Ref(v)
	}
	for _, d := range changed { // in the order of the source
		if x, ok := ints[d]; ok && x == nil {
			ints[d] = fresh(d)
			l.Ints[d] = ints[d]
		}
		if x, ok := pointers[d]; ok && x == nil {
			pointers[d] = fresh(d)
			l.Pointers[d] = value.Place{Object: objects[d], Offset: pointers[d]}
		}
	}
	l.tried++
	l.Quiet = true
	err := parse.Attempt(func() { l.collect(run) })
	after := l.Save()
	restore()
	if err != nil {
		return found
	}
	for d, x := range ints {
		if c, ok := changeOf(after.Ints[d], x, unknown); ok {
			found.ints[d] = c
		}
	}
	for d, x := range pointers {
		if c, ok := changeOf(after.Pointers[d].Offset, x, unknown); ok && after.Pointers[d].Object == objects[d] && c.set == nil {
			found.pointers[d] = c
		}
	}
	return found
}

// objectsOf are what some pointers point at.
func (l *lowerer) objectsOf(pointers map[*cc.Declarator]*expr.Expr) map[*cc.Declarator]*nest.Object {
	out := map[*cc.Declarator]*nest.Object{}
	for d := range pointers {
		out[d] = l.Pointers[d].Object
	}
	return out
}

// changeOf compares a variable's value after an iteration with that before it.
func changeOf(after, before *expr.Expr, unknown map[expr.Var]bool) (change, bool) {
	if after == nil {
		return change{}, false
	}
	if sum, ok := value.LinearOf(expr.Binary(expr.OpSub, after, before)); ok && len(sum.Vars) == 0 && sum.Plain() {
		return change{add: sum.K}, true
	}
	for v := range unknown {
		if value.Uses(after, v) {
			return change{}, false
		}
	}
	return change{set: after}, true
}

// induct gives variables the values that they have at the begin of an iteration of a loop, by what they were before it.
func (l *lowerer) induct(c changes, before value.Known, v expr.Var, h header) {
	done := rounds(expr.Ref(v), h)
	for d, x := range c.ints {
		old := before.Ints[d]
		switch {
		case d == h.d:
		case x.set == nil:
			l.Ints[d] = value.Normal(expr.Binary(expr.OpAdd, old, expr.Binary(expr.OpMul, done, expr.Int(x.add))))
		default:
			earlier := x.set.Substitute(map[expr.Var]*expr.Expr{v: expr.Binary(expr.OpSub, expr.Ref(v), expr.Int(h.step))})
			if expr.Equal(value.Normal(earlier), old) {
				l.Ints[d] = old
			} else {
				l.Ints[d] = expr.Conditional(expr.Binary(expr.OpEq, expr.Ref(v), h.lo), old, value.Normal(earlier))
			}
		}
	}
	for d, x := range c.pointers {
		p := before.Pointers[d]
		p.Offset = value.Normal(expr.Binary(expr.OpAdd, p.Offset, expr.Binary(expr.OpMul, done, expr.Int(x.add))))
		l.Pointers[d] = p
	}
}

// rounds is how many iterations a loop has made when its variable has a value.
func rounds(at *expr.Expr, h header) *expr.Expr {
	if h.step > 0 {
		at = expr.Binary(expr.OpSub, at, h.lo)
	} else {
		at = expr.Binary(expr.OpSub, h.lo, at)
	}
	if step := max(h.step, -h.step); step > 1 {
		return expr.Binary(expr.OpFloorDiv, at, expr.Int(step))
	}
	return at
}

// leave gives variables the values that they have behind a loop, where its end is known.
func (l *lowerer) leave(c changes, before value.Known, h header, end *expr.Expr) {
	if end == nil {
		return
	}
	done := value.Normal(rounds(end, h))
	for d, x := range c.ints {
		if d != h.d && x.set == nil {
			l.Ints[d] = value.Normal(expr.Binary(expr.OpAdd, before.Ints[d], expr.Binary(expr.OpMul, done, expr.Int(x.add))))
		}
	}
	for d, x := range c.pointers {
		p := before.Pointers[d]
		p.Offset = value.Normal(expr.Binary(expr.OpAdd, p.Offset, expr.Binary(expr.OpMul, done, expr.Int(x.add))))
		l.Pointers[d] = p
	}
}

// changedBy are the variables that some nodes may assign.
func (l *lowerer) changedBy(all []cc.Node) []*cc.Declarator {
	var out []*cc.Declarator
	for _, n := range all {
		out = append(out, l.Facts.Changed(n)...)
	}
	return out
}

// forgetAll drops what is known of the variables that some nodes may change.
func (l *lowerer) forgetAll(all []cc.Node) {
	for _, n := range all {
		l.forget(n)
	}
}
