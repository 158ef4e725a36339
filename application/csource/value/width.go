package value

import (
	"fmt"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// Width is what matters of an integer type. An integer expression is followed as a mathematical integer that equals
// C's value modulo 2^(8·size); where the difference would show (comparisons, divisions, wider types, loops) it must
// be proven to lie within its type.
type Width struct {
	Size     int64
	Unsigned bool
}

// pointerWidth is that of subscripts: addresses are added up in 64 bits.
var pointerWidth = Width{Size: 8}

// WidthOf is the width of an integer type.
func WidthOf(t cc.Type) Width {
	if t.Kind() == cc.Enum {
		return Width{Size: 4}
	}
	return Width{max(1, t.Size()), tree.IsUnsigned(t)}
}

// promoted applies the integer promotions.
func (w Width) promoted() Width {
	if w.Size < 4 {
		return Width{Size: 4}
	}
	return w
}

// commonWidth applies the usual arithmetic conversions.
func commonWidth(a, b cc.Type) Width {
	x, y := WidthOf(a).promoted(), WidthOf(b).promoted()
	switch {
	case x.Size > y.Size:
		return x
	case x.Size < y.Size:
		return y
	}
	return Width{x.Size, x.Unsigned || y.Unsigned}
}

// Limits are the smallest and the largest value.
func (w Width) Limits() (lo, hi int64) {
	switch {
	case w.Size >= 8 && w.Unsigned:
		return 0, expr.Whole.Hi
	case w.Size >= 8:
		return expr.Whole.Lo, expr.Whole.Hi
	case w.Unsigned:
		return 0, 1<<(8*w.Size) - 1
	}
	return -1 << (8*w.Size - 1), 1<<(8*w.Size-1) - 1
}

func (w Width) String() string {
	name := map[int64]string{1: "char", 2: "short", 4: "int"}[w.Size]
	if name == "" {
		name = "long"
	}
	if w.Unsigned {
		return "unsigned " + name
	}
	if w.Size == 1 {
		return "signed char"
	}
	return name
}

// Unbounded is where bounds stop to mean anything: a loop variable whose loop is being bounded has no end yet.
const Unbounded = 1 << 59

// as is the value of e converted to a width, modulo that width.
func (vs *Values) as(e cc.ExpressionNode, w Width) *expr.Expr {
	x := vs.Int(e)
	if t := tree.Strip(e).Type(); tree.IsInteger(t) && WidthOf(t).Size < w.Size {
		return vs.held(e, x, WidthOf(t))
	}
	return x
}

// exactly is the value of e converted to a width, within its limits.
func (vs *Values) exactly(e cc.ExpressionNode, w Width) *expr.Expr {
	return vs.held(e, vs.as(e, w), w)
}

// Converted is the value of e as a variable of type t holds it.
func (vs *Values) Converted(e cc.ExpressionNode, t cc.Type) *expr.Expr {
	if t.Kind() == cc.Bool {
		x := vs.Int(e)
		if r := vs.Interval(x); r.Lo >= 0 && r.Hi <= 1 {
			return x
		}
		return expr.Binary(expr.OpNe, x, expr.Int(0))
	}
	return vs.exactly(e, WidthOf(t))
}

// mostWrapped bounds the numbers that are wrapped: sums of them are far from the end of 64 bits.
const mostWrapped = 1 << 45

// held is what a type holds of a number: the number where it is proven to lie within the limits, else what is left of it by as many bits. Bounds of loops
// and constants that would wrap are refused, as that is hardly meant.
func (vs *Values) held(e cc.Node, x *expr.Expr, w Width) *expr.Expr {
	err := vs.Misfit(e, x, w)
	if err == nil {
		return x
	}
	r := vs.Interval(x)
	if _, constant := Constant(Normal(x)); constant || vs.Bounding || w.Size > 4 || r.Lo < -mostWrapped || r.Hi > mostWrapped {
		panic(err)
	}
	turn, lo := int64(1)<<(8*w.Size), int64(0)
	if !w.Unsigned {
		lo = -turn / 2
	}
	turns := Normal(expr.Binary(expr.OpFloorDiv, Normal(expr.Binary(expr.OpSub, x, expr.Int(lo))), expr.Int(turn)))
	return expr.Binary(expr.OpSub, x, expr.Binary(expr.OpMul, expr.Int(turn), turns))
}

// Misfit is the error of a value that is not proven to lie within the limits of its type; nil where it is.
func (vs *Values) Misfit(n cc.Node, x *expr.Expr, w Width) *parse.Error {
	if w.Size >= 8 && !w.Unsigned || vs.Trying {
		return nil
	}
	from := w
	if e, ok := n.(cc.ExpressionNode); ok && tree.IsInteger(tree.Strip(e).Type()) {
		from = WidthOf(tree.Strip(e).Type())
		if from == w && w == (Width{Size: 4}) && isArithmetic(tree.Strip(e)) {
			return nil // overflow of int is undefined: it was warned of
		}
		if from == w && isExact(tree.Strip(e)) {
			return nil
		}
	}
	low, high := vs.beyond(x, w)
	_, top := w.Limits()
	e := &parse.Error{Pos: parse.Position(n), Wrap: true}
	switch {
	case low && w.Unsigned && from.Unsigned:
		e.Message = tree.Text(n) + " may wrap below 0 in unsigned arithmetic"
		e.Remedy = "use a signed type, or write it without the subtraction"
	case low && w.Unsigned:
		e.Message = tree.Text(n) + " may be negative where it becomes unsigned"
		e.Remedy = "use signed types throughout"
	case low || high:
		e.Message = fmt.Sprintf("%s may not fit %s, which ends at %d", tree.Text(n), w, top)
		e.Remedy = "use a wider type"
	default:
		return nil
	}
	return e
}

// beyond tells on which sides a value may leave its type.
func (vs *Values) beyond(x *expr.Expr, w Width) (low, high bool) {
	lo, hi := w.Limits()
	r := vs.Interval(x)
	low = r.Lo < lo && r.Lo > -Unbounded && !vs.atLeast(expr.Binary(expr.OpSub, x, expr.Int(lo)))
	high = w.Size < 8 && r.Hi > hi && r.Hi < Unbounded && !vs.atLeast(expr.Binary(expr.OpSub, expr.Int(hi), x))
	return low, high
}

// isArithmetic tells whether a signed result can overflow.
func isArithmetic(e cc.ExpressionNode) bool {
	switch e.(type) {
	case *cc.AdditiveExpression, *cc.MultiplicativeExpression, *cc.ShiftExpression, *cc.UnaryExpression:
		return true
	}
	return false
}

// isExact tells whether a result lies within its type because the operands were proven to.
func isExact(e cc.ExpressionNode) bool {
	switch n := e.(type) {
	case *cc.MultiplicativeExpression:
		return n.Case != cc.MultiplicativeExpressionMul
	case *cc.ShiftExpression:
		return n.Case == cc.ShiftExpressionRsh
	case *cc.ConditionalExpression, *cc.AndExpression, *cc.InclusiveOrExpression, *cc.ExclusiveOrExpression:
		return true
	}
	return false
}

// Overflow warns of signed arithmetic that may leave int, which C does not define.
func (vs *Values) Overflow(e cc.Node, x *expr.Expr, w Width) {
	if w != (Width{Size: 4}) {
		return
	}
	r := vs.Interval(x)
	if r.Lo < -Unbounded || r.Hi > Unbounded {
		return
	}
	low, high := vs.beyond(x, w)
	p := parse.Position(e)
	key := fmt.Sprintf("overflow %s:%d", p.File, p.Line)
	if !low && !high || vs.Quiet || vs.Warned[key] {
		return
	}
	vs.Warned[key] = true
	vs.Warn(e, "%s may overflow int (%d to %d), which C does not define; compute it in long", tree.Text(e), r.Lo, r.Hi)
}

// intArithmetic is a + b and the like, in the type that C computes it in.
func (vs *Values) intArithmetic(e, a, b cc.ExpressionNode) *expr.Expr {
	w := WidthOf(e.Type()).promoted()
	switch n := e.(type) {
	case *cc.AdditiveExpression:
		x := vs.combine(e, vs.as(a, w), vs.as(b, w))
		vs.Overflow(e, x, w)
		return x
	case *cc.MultiplicativeExpression:
		if n.Case != cc.MultiplicativeExpressionMul {
			return vs.combine(e, vs.exactly(a, w), vs.exactly(b, w))
		}
		x := vs.combine(e, vs.as(a, w), vs.as(b, w))
		vs.Overflow(e, x, w)
		return x
	case *cc.ShiftExpression:
		w = WidthOf(a.Type()).promoted()
		if n.Case == cc.ShiftExpressionRsh {
			return vs.combine(e, vs.exactly(a, w), vs.Int(b))
		}
		x := vs.combine(e, vs.as(a, w), vs.Int(b))
		vs.Overflow(e, x, w)
		return x
	case *cc.RelationalExpression:
		w = commonWidth(a.Type(), b.Type())
		return vs.combine(e, vs.exactly(a, w), vs.exactly(b, w))
	case *cc.EqualityExpression:
		return vs.intEquality(e, a, b)
	}
	return vs.combine(e, vs.as(a, w), vs.as(b, w)) // bits: the same modulo the width
}

// intEquality compares modulo the width, which is exact as long as the two sides cannot be a whole turn apart.
func (vs *Values) intEquality(e, a, b cc.ExpressionNode) *expr.Expr {
	w := commonWidth(a.Type(), b.Type())
	x, y := vs.as(a, w), vs.as(b, w)
	if w.Size < 8 {
		turn := int64(1) << (8 * w.Size)
		if r := vs.Interval(expr.Binary(expr.OpSub, x, y)); r.Lo > -Unbounded && r.Lo <= -turn || r.Hi < Unbounded && r.Hi >= turn {
			x, y = vs.held(a, x, w), vs.held(b, y, w)
		}
	}
	return vs.combine(e, x, y)
}
