package lower

import (
	"foresee/application/csource/tree"
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

var binaryKinds = map[string]nest.Kind{
	"+": nest.Add, "-": nest.Add, "*": nest.Mul, "/": nest.Div, "%": nest.Div, "<<": nest.Logic, ">>": nest.Logic,
	"&": nest.Logic, "|": nest.Logic, "^": nest.Logic, "&&": nest.Logic, "||": nest.Logic, "<": nest.Compare,
	">": nest.Compare, "<=": nest.Compare, ">=": nest.Compare, "==": nest.Compare, "!=": nest.Compare,
}

// binary lowers an operator between two operands, the left one first. Where one is a pointer nothing is computed: the place was.
func (l *lowerer) binary(e, a, b cc.ExpressionNode) *operand {
	if tree.IsPointer(a.Type()) || tree.IsPointer(b.Type()) {
		return literal(typeOf(e.Type()))
	}
	if op := operator(e); op == "&&" || op == "||" {
		return l.chain(e, terms(e, op), op == "&&")
	}
	x := l.value(a)
	y := l.value(b)
	kind := binaryKinds[operator(e)]
	t := typeOf(e.Type())
	if kind == nest.Compare {
		t = commonType(a.Type(), b.Type())
	}
	return l.two(e, nest.Operation{Kind: kind, Type: t, Minus: operator(e) == "-"}, l.convert(e, x, t), l.convert(e, y, t))
}

// two applies an operation to two operands.
func (l *lowerer) two(n cc.Node, op nest.Operation, a, b *operand) *operand {
	if a.literal && b.literal {
		return literal(op.Type)
	}
	return l.operation(n, op, a, b)
}

// commonType is what the usual arithmetic conversions make of two types.
func commonType(a, b cc.Type) nest.Type { return max(typeOf(a), typeOf(b)) }

// operator is the sign of a binary operator.
func operator(e cc.ExpressionNode) string {
	switch n := e.(type) {
	case *cc.MultiplicativeExpression:
		return n.Token.SrcStr()
	case *cc.AdditiveExpression:
		return n.Token.SrcStr()
	case *cc.ShiftExpression:
		return n.Token.SrcStr()
	case *cc.RelationalExpression:
		return n.Token.SrcStr()
	case *cc.EqualityExpression:
		return n.Token.SrcStr()
	case *cc.AndExpression:
		return "&"
	case *cc.InclusiveOrExpression:
		return "|"
	case *cc.ExclusiveOrExpression:
		return "^"
	case *cc.LogicalAndExpression:
		return "&&"
	}
	return "||"
}
