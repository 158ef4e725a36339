package value

import (
	"foresee/application/csource/tree"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// Real is the value of a floating-point expression of constants, of parameters that a call gave constants and nothing sets, and of variables that are the same
// throughout the program; false of others.
func (vs *Values) Real(e cc.ExpressionNode) (float64, bool) { return vs.real(e, 0) }

func (vs *Values) real(e cc.ExpressionNode, depth int) (float64, bool) {
	if e == nil || depth > maxConstantDepth {
		return 0, false
	}
	e = tree.Strip(e)
	switch v := e.Value().(type) {
	case cc.Float64Value:
		return float64(v), true
	case cc.Int64Value:
		return float64(v), true
	}
	if d := tree.Variable(e); d != nil && cc.IsFloatingPointType(d.Type()) {
		if x, known := vs.Reals[d]; known {
			return x, true
		}
		return vs.realOf(d, depth+1)
	}
	switch n := e.(type) {
	case *cc.UnaryExpression:
		if x, ok := vs.real(n.CastExpression, depth+1); ok && n.Case == cc.UnaryExpressionMinus {
			return -x, true
		}
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionCast && cc.IsFloatingPointType(n.Type()) {
			x, ok := vs.real(n.CastExpression, depth+1)
			return kept(x, n.Type()), ok
		}
	case *cc.AdditiveExpression, *cc.MultiplicativeExpression:
		return vs.realArithmetic(e, depth+1)
	}
	return 0, false
}

// realArithmetic is a sum, a difference, a product or a quotient of numbers that are known.
func (vs *Values) realArithmetic(e cc.ExpressionNode, depth int) (float64, bool) {
	a, b, ok := tree.Operands(e)
	if !ok || !cc.IsFloatingPointType(e.Type()) {
		return 0, false
	}
	x, known := vs.real(a, depth)
	y, also := vs.real(b, depth)
	switch tree.Operator(e) {
	case "+":
		x += y
	case "-":
		x -= y
	case "*":
		x *= y
	case "/":
		x /= y
	}
	return kept(x, e.Type()), known && also
}

// mostRealTrips bounds the iterations that are counted one by one.
const mostRealTrips = 100_000_000

// RealTrips counts how often a loop iterates whose variable is a number of floating point, from its first value, its condition, and what steps it; false where one
// of them is not known.
func (vs *Values) RealTrips(d *cc.Declarator, first, cond, step cc.ExpressionNode) (int64, bool) {
	x, ok := vs.Real(first)
	for _, e := range []cc.ExpressionNode{first, bound(cond, d), assigned(step)} {
		if p := tree.Variable(e); p != nil && p.IsParam() && cc.IsFloatingPointType(p.Type()) && len(vs.Facts.Assigned[p]) == 0 {
			if _, known := vs.Real(e); !known {
				panic(undefinedAs(e, p.Name(), p.Name(), "0.5"))
			}
		}
	}
	relation, compares := tree.Strip(cond).(*cc.RelationalExpression)
	assignment, assigns := tree.Strip(step).(*cc.AssignmentExpression)
	if !ok || !compares || !assigns || tree.Variable(assignment.UnaryExpression) != d {
		return 0, false
	}
	a, b, _ := tree.Operands(relation)
	up := relation.Case == cc.RelationalExpressionLt || relation.Case == cc.RelationalExpressionLeq
	if tree.Variable(b) == d {
		a, b, up = b, a, !up
	}
	end, ends := vs.Real(b)
	by, steps := vs.Real(assignment.AssignmentExpression)
	switch assignment.Case {
	case cc.AssignmentExpressionAdd:
	case cc.AssignmentExpressionSub:
		by = -by
	default:
		return 0, false
	}
	if tree.Variable(a) != d || !ends || !steps || up != (by > 0) || by == 0 {
		return 0, false
	}
	equal := relation.Case == cc.RelationalExpressionLeq || relation.Case == cc.RelationalExpressionGeq
	x = kept(x, d.Type())
	for n := int64(0); n < mostRealTrips; n++ {
		if !(up && x < end || !up && x > end || equal && x == end) {
			return n, true
		}
		x = kept(x+by, d.Type())
	}
	return 0, false
}

// kept is a number as a variable of a type keeps it.
func kept(x float64, t cc.Type) float64 {
	if t.Kind() == cc.Float {
		return float64(float32(x))
	}
	return x
}

// realOf is the value that a variable or a parameter has throughout the program.
func (vs *Values) realOf(d *cc.Declarator, depth int) (float64, bool) {
	s := vs.Source
	if v, given := s.Defined[d.Name()]; given {
		return kept(float64(v), d.Type()), true
	}
	if x, given := s.Reals[d.Name()]; given {
		return kept(x, d.Type()), true
	}
	if s.Facts.Escapes[d] || s.Busy[d] {
		return 0, false
	}
	s.Busy[d] = true
	defer delete(s.Busy, d)
	all := s.Facts.Assigned[d]
	if !d.IsParam() {
		if len(all) != 1 || all[0].From != nil && d.StorageDuration() == cc.Static || d.StorageDuration() != cc.Static && !d.Type().Attributes().IsConst() {
			return 0, false
		}
		x, ok := vs.real(all[0].Value, depth)
		return kept(x, d.Type()), ok
	}
	fd, i := parameterOf(s, d)
	if fd == nil || len(all) > 0 {
		return 0, false
	}
	first, known := 0.0, false
	for _, c := range s.Facts.Calls[fd.Declarator.Name()] {
		args := tree.Arguments(c.Node)
		if i >= len(args) {
			return 0, false
		}
		x, ok := vs.real(args[i], depth)
		if !ok || known && x != first {
			return 0, false
		}
		first, known = x, true
	}
	return kept(first, d.Type()), known
}

// bound is what a condition compares a variable with; nil where it does not.
func bound(cond cc.ExpressionNode, d *cc.Declarator) cc.ExpressionNode {
	a, b, ok := tree.Operands(tree.Strip(cond))
	switch {
	case ok && tree.Variable(a) == d:
		return b
	case ok && tree.Variable(b) == d:
		return a
	}
	return nil
}

// assigned is the right side of an assignment; nil of other expressions.
func assigned(e cc.ExpressionNode) cc.ExpressionNode {
	if n, ok := tree.Strip(e).(*cc.AssignmentExpression); ok {
		return n.AssignmentExpression
	}
	return nil
}

// BindReal notes what a call gives a parameter of floating-point type.
func (vs *Values) BindReal(d *cc.Declarator, e cc.ExpressionNode) func() {
	x, ok := vs.Real(e)
	return func() {
		delete(vs.Reals, d)
		if ok && len(vs.Facts.Assigned[d]) == 0 && !vs.Facts.Escapes[d] {
			vs.Reals[d] = kept(x, d.Type())
		}
	}
}

// compareReals is a comparison of numbers of which one at least is no integer; nil where it is none, or they are not known.
func (vs *Values) compareReals(e, a, b cc.ExpressionNode) *expr.Expr {
	if !cc.IsFloatingPointType(a.Type()) && !cc.IsFloatingPointType(b.Type()) {
		return nil
	}
	x, ok := vs.Real(a)
	y, also := vs.Real(b)
	if !ok || !also {
		return nil
	}
	var holds bool
	switch n := e.(type) {
	case *cc.EqualityExpression:
		holds = (x == y) == (n.Case == cc.EqualityExpressionEq)
	case *cc.RelationalExpression:
		switch n.Case {
		case cc.RelationalExpressionLt:
			holds = x < y
		case cc.RelationalExpressionGt:
			holds = x > y
		case cc.RelationalExpressionLeq:
			holds = x <= y
		case cc.RelationalExpressionGeq:
			holds = x >= y
		}
	default:
		return nil
	}
	return expr.Int(expr.Truth(holds))
}
