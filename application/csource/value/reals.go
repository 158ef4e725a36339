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
