package lower

import (
	"slices"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// choice lowers c ? a : b as a value.
func (l *lowerer) choice(n *cc.ConditionalExpression) *operand {
	if tree.IsInteger(n.Type()) {
		if x, err := l.TryUntold(n); err == nil {
			return l.intChoice(n, x)
		}
	}
	c, err := l.TryTruth(n.LogicalOrExpression)
	memory := tree.TouchesMemory(tree.Taken(n)) || tree.TouchesMemory(n.ConditionalExpression)
	if err != nil && err.Wrap && memory {
		panic(err)
	}
	switch {
	case err == nil && l.Always(c):
		return l.convertTo(n, l.value(tree.Taken(n)), n.Type())
	case err == nil && l.Never(c):
		return l.convertTo(n, l.value(n.ConditionalExpression), n.Type())
	case err == nil && memory:
		return l.knownChoice(n, c)
	}
	return l.dataChoice(n, memory && err != nil)
}

// intChoice is an integer that a condition chooses, and the operation that choosing takes.
func (l *lowerer) intChoice(n cc.Node, x *expr.Expr) *operand {
	t := typeOf(n.(cc.ExpressionNode).Type())
	if x.Op == expr.OpConst {
		return literal(t)
	}
	if x.Op == expr.OpCond || x.Op == expr.OpMin || x.Op == expr.OpMax {
		return l.operation(n, nest.Operation{Kind: nest.Select, Type: t}, counter(t), counter(t))
	}
	return l.ofCounters(x, t)
}

// knownChoice lowers a choice that loop variables decide: only one side is executed.
func (l *lowerer) knownChoice(n *cc.ConditionalExpression, c *expr.Expr) *operand {
	to := l.keeper(n.Type())
	side := func(e cc.ExpressionNode) func() {
		return func() {
			v := l.convertTo(e, l.value(e), n.Type())
			l.at(e)
			l.moveTo(v, to)
		}
	}
	var a, b []nest.Node
	l.Under(c, func() { a = l.collect(side(tree.Taken(n))) })
	l.Under(expr.Unary(expr.OpNot, c), func() { b = l.collect(side(n.ConditionalExpression)) })
	l.emit(&nest.If{Cond: c, Then: a, Else: b, Pos: parse.Position(n)})
	return to
}

// dataChoice counts both sides; elements that were read once are not read again.
func (l *lowerer) dataChoice(n *cc.ConditionalExpression, memory bool) *operand {
	if memory {
		l.Warn(n, "the condition %s is not known before the run; both sides are counted as executed", tree.Text(n.LogicalOrExpression))
	}
	if l.once < 0 {
		l.once = len(l.at(n).Accesses)
		defer func() { l.once = -1 }()
	}
	c := l.value(n.LogicalOrExpression)
	a := l.convertTo(n, l.value(tree.Taken(n)), n.Type()).numbers()
	b := l.convertTo(n, l.value(n.ConditionalExpression), n.Type()).numbers()
	i := -1
	return ofParts(n.Type(), func(p part) *operand {
		i++
		return l.operation(n, nest.Operation{Kind: nest.Select, Type: p.t}, c, a[i], b[i])
	})
}

// terms splits a && b && c, or a || b || c.
func terms(e cc.ExpressionNode, op string) []cc.ExpressionNode {
	e = tree.Strip(e)
	if a, b, ok := tree.Operands(e); ok && tree.Operator(e) == op {
		return append(terms(a, op), terms(b, op)...)
	}
	return []cc.ExpressionNode{e}
}

// chain lowers a && b && … or a || b || … as a value. Terms over loop variables decide whether what is right of
// them is executed; behind one that depends on data, everything is counted.
func (l *lowerer) chain(e cc.Node, all []cc.ExpressionNode, and bool) *operand {
	if len(all) == 1 {
		return l.value(all[0])
	}
	rest := all[1:]
	c, err := l.term(all[0], rest)
	if err != nil {
		x := l.value(all[0])
		if touchAny(rest) && !l.hushed {
			l.Warn(e, "the condition %s is not known before the run; both sides are counted as executed", tree.Text(all[0]))
		}
		return l.two(e, nest.Operation{Kind: nest.Logic, Type: nest.I32}, x, l.chain(e, rest, and))
	}
	if !and {
		c = expr.Unary(expr.OpNot, c)
	}
	switch {
	case l.Always(c):
		return l.chain(e, rest, and)
	case l.Never(c):
		return literal(nest.I32)
	case !touchAny(rest):
		return l.two(e, nest.Operation{Kind: nest.Logic, Type: nest.I32}, l.value(all[0]), l.chain(e, rest, and))
	}
	to := nest.Value{Kind: nest.Scalar, N: l.temporary()}
	var then []nest.Node
	l.Under(c, func() {
		then = l.collect(func() {
			v := l.chain(e, rest, and)
			l.at(e)
			l.move(v, to)
		})
	})
	other := l.collect(func() {
		l.at(e)
		l.move(literal(nest.I32), to)
	})
	l.emit(&nest.If{Cond: value.Normal(c), Then: then, Else: other, Pos: parse.Position(e)})
	return &operand{v: to, t: nest.I32}
}

// term is the value of one condition; an integer that may leave its type is refused where it decides on accesses.
func (l *lowerer) term(e cc.ExpressionNode, rest []cc.ExpressionNode) (*expr.Expr, *parse.Error) {
	c, err := l.TryTruth(e)
	if err != nil && err.Wrap && touchAny(rest) {
		panic(err)
	}
	return c, err
}

// touchAny says whether one of some expressions reads or writes memory.
func touchAny(all []cc.ExpressionNode) bool {
	for _, e := range all {
		if tree.TouchesMemory(e) {
			return true
		}
	}
	return false
}

// maxSplits bounds how often sides of conditions within conditions are lowered again.
const maxSplits = 12

// split lowers an if whose condition as a whole depends on data, by those of its terms that do not.
func (l *lowerer) split(sel *cc.SelectionStatement, all []cc.ExpressionNode, op string, then, els func(), plain bool) {
	known := -1
	var c *expr.Expr
	l.splits++
	defer func() { l.splits-- }()
	for i, t := range all {
		if x, err := l.asked(sel, t, func(e cc.ExpressionNode) (*expr.Expr, *parse.Error) { return l.term(e, all) }); err == nil {
			known, c = i, value.Normal(x)
			break
		}
	}
	switch {
	case len(all) == 0:
		if op == "&&" {
			then()
		} else {
			els()
		}
	case known < 0 || known > 0 && (op != "&&" || !plain) || l.splits > maxSplits && (op != "&&" || !plain):
		l.dataBranch(sel, all, op, then, els)
	case known > 0:
		l.dataBranch(sel, all[:known], op, func() { l.split(sel, all[known:], op, then, els, plain) }, els)
	case op == "&&":
		l.decide(sel, c, func() { l.split(sel, all[1:], op, then, els, plain) }, els)
	default:
		l.decide(sel, c, then, func() { l.split(sel, all[1:], op, then, els, plain) })
	}
}

// decide lowers an if on a known condition.
func (l *lowerer) decide(sel *cc.SelectionStatement, c *expr.Expr, then, els func()) {
	switch {
	case l.Always(c):
		then()
	case l.Never(c):
		els()
	default:
		l.knownBranch(sel, c, then, els)
	}
}

// asChoice puts what an arm copies into scalars into the statement of a condition that is one comparison: c ? a : x, which compilers make no branch of where all
// that it takes is in registers. It gives false where the arm does more, or a condition on other numbers than those of the scalars decides.
func (l *lowerer) asChoice(asked, arm []nest.Node) bool {
	if len(asked) == 0 || len(arm) == 0 {
		return false
	}
	cond, ok := asked[len(asked)-1].(*nest.Stmt)
	if !ok || len(cond.Flow) == 0 {
		return false
	}
	at := len(cond.Flow) - 1
	compare := cond.Flow[at]
	if compare.Kind != nest.Compare || compare.Out.Kind != nest.None {
		return false
	}
	var moves []nest.Operation
	for _, n := range arm {
		s, ok := n.(*nest.Stmt)
		if !ok || s.Branches > 0 {
			return false
		}
		read := map[int]int{} // loads of the condition, by those of the arm
		for i, a := range s.Accesses {
			j := slices.IndexFunc(cond.Accesses, func(b *nest.Access) bool { return !b.Write && sameBytes(a, b) })
			if a.Write || j < 0 {
				return false
			}
			read[i] = j
		}
		for _, op := range s.Flow {
			if op.Kind != nest.Move || op.Out.Kind != nest.Scalar || len(op.Args) != 1 || op.Type.IsFloat() && op.Type != compare.Type {
				return false
			}
			v := op.Args[0]
			switch v.Kind {
			case nest.Load:
				v.N = read[v.N]
			case nest.Scalar, nest.Const:
			default:
				return false
			}
			moves = append(moves, nest.Operation{Kind: nest.Select, Type: op.Type, Args: []nest.Value{{Kind: nest.Temp, N: at}, v, op.Out}, Out: op.Out})
		}
	}
	cond.Flow = append(cond.Flow, moves...)
	return len(moves) > 0
}

// readBefore drops, of what the arm of an if does first, the loads of what its condition has read just before, which compilers keep: up to a store that
// may change it.
func (l *lowerer) readBefore(cond nest.Node, arm []nest.Node) {
	s, ok := cond.(*nest.Stmt)
	if !ok {
		return
	}
	for _, n := range arm {
		x, ok := n.(*nest.Stmt)
		if !ok {
			return
		}
		for i := 0; i < len(x.Accesses); i++ {
			a := x.Accesses[i]
			if a.Write {
				return
			}
			if slices.ContainsFunc(s.Accesses, func(b *nest.Access) bool { return !b.Write && sameBytes(a, b) }) {
				l.dropAccess(x, i)
				i--
			}
		}
	}
}

// onlyOne drops, of the arms of an if of which one is run, the accesses of the second that the first makes as well.
func (l *lowerer) onlyOne(a, b []nest.Node) {
	var made []*nest.Access
	for _, n := range a {
		if s, ok := n.(*nest.Stmt); ok {
			made = append(made, s.Accesses...)
		}
	}
	for _, n := range b {
		s, ok := n.(*nest.Stmt)
		if !ok {
			continue
		}
		for i := 0; i < len(s.Accesses); i++ {
			at := slices.IndexFunc(made, func(m *nest.Access) bool { return m.Write == s.Accesses[i].Write && sameBytes(m, s.Accesses[i]) })
			if at >= 0 {
				made = slices.Delete(made, at, at+1)
				l.dropAccess(s, i)
				i--
			}
		}
	}
}

// sameBytes tells whether two accesses are of the same place.
func sameBytes(a, b *nest.Access) bool {
	return a.Object == b.Object && a.Size == b.Size && expr.Equal(a.Offset, b.Offset)
}

// dropAccess takes an access out of a statement: what it would load is in a register, what it would store goes nowhere.
func (l *lowerer) dropAccess(s *nest.Stmt, i int) {
	to := nest.Value{}
	if !s.Accesses[i].Write {
		to = nest.Value{Kind: nest.Scalar, N: l.temporary()}
	}
	replaceAccess(s, i, to)
}
