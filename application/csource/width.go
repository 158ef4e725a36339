package csource

import (
	"fmt"

	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// width is what matters of an integer type. An integer expression is followed as a mathematical integer that equals
// C's value modulo 2^(8·size); where the difference would show (comparisons, divisions, wider types, loops) it must
// be proven to lie within its type.
type width struct {
	size     int64
	unsigned bool
}

// pointerWidth is that of subscripts: addresses are added up in 64 bits.
var pointerWidth = width{size: 8}

func widthOf(t cc.Type) width {
	if t.Kind() == cc.Enum {
		return width{size: 4}
	}
	return width{max(1, t.Size()), isUnsigned(t)}
}

// promoted applies the integer promotions.
func (w width) promoted() width {
	if w.size < 4 {
		return width{size: 4}
	}
	return w
}

// commonWidth applies the usual arithmetic conversions.
func commonWidth(a, b cc.Type) width {
	x, y := widthOf(a).promoted(), widthOf(b).promoted()
	switch {
	case x.size > y.size:
		return x
	case x.size < y.size:
		return y
	}
	return width{x.size, x.unsigned || y.unsigned}
}

// limits are the smallest and the largest value.
func (w width) limits() (lo, hi int64) {
	switch {
	case w.size >= 8 && w.unsigned:
		return 0, expr.Whole.Hi
	case w.size >= 8:
		return expr.Whole.Lo, expr.Whole.Hi
	case w.unsigned:
		return 0, 1<<(8*w.size) - 1
	}
	return -1 << (8*w.size - 1), 1<<(8*w.size-1) - 1
}

func (w width) String() string {
	name := map[int64]string{1: "char", 2: "short", 4: "int"}[w.size]
	if name == "" {
		name = "long"
	}
	if w.unsigned {
		return "unsigned " + name
	}
	if w.size == 1 {
		return "signed char"
	}
	return name
}

// unbounded is where bounds stop to mean anything: a loop variable whose loop is being bounded has no end yet.
const unbounded = 1 << 59

// as is the value of e converted to a width, modulo that width.
func (l *lowerer) as(e cc.ExpressionNode, w width) *expr.Expr {
	x := l.int(e)
	if t := strip(e).Type(); isInteger(t) && widthOf(t).size < w.size {
		l.fit(e, x, widthOf(t))
	}
	return x
}

// exactly is the value of e converted to a width, within its limits.
func (l *lowerer) exactly(e cc.ExpressionNode, w width) *expr.Expr {
	x := l.as(e, w)
	l.fit(e, x, w)
	return x
}

// converted is the value of e as a variable of type t holds it.
func (l *lowerer) converted(e cc.ExpressionNode, t cc.Type) *expr.Expr {
	if t.Kind() == cc.Bool {
		x := l.int(e)
		if r := l.interval(x); r.Lo >= 0 && r.Hi <= 1 {
			return x
		}
		return expr.Binary(expr.OpNe, x, expr.Int(0))
	}
	return l.exactly(e, widthOf(t))
}

// fit refuses a value that is not proven to lie within the limits of its type.
func (l *lowerer) fit(e cc.Node, x *expr.Expr, w width) {
	if err := l.misfit(e, x, w); err != nil {
		panic(err)
	}
}

func (l *lowerer) misfit(n cc.Node, x *expr.Expr, w width) *Error {
	if w.size >= 8 && !w.unsigned {
		return nil
	}
	from := w
	if e, ok := n.(cc.ExpressionNode); ok && isInteger(strip(e).Type()) {
		from = widthOf(strip(e).Type())
		if from == w && w == (width{size: 4}) && isArithmetic(strip(e)) {
			return nil // overflow of int is undefined: it was warned of
		}
		if from == w && isExact(strip(e)) {
			return nil
		}
	}
	low, high := l.beyond(x, w)
	_, top := w.limits()
	e := &Error{Pos: position(n), wrap: true}
	switch {
	case low && w.unsigned && from.unsigned:
		e.Message = text(n) + " may wrap below 0 in unsigned arithmetic"
		e.Remedy = "use a signed type, or write it without the subtraction"
	case low && w.unsigned:
		e.Message = text(n) + " may be negative where it becomes unsigned"
		e.Remedy = "use signed types throughout"
	case low || high:
		e.Message = fmt.Sprintf("%s may not fit %s, which ends at %d", text(n), w, top)
		e.Remedy = "use a wider type"
	default:
		return nil
	}
	return e
}

// beyond tells on which sides a value may leave its type.
func (l *lowerer) beyond(x *expr.Expr, w width) (low, high bool) {
	lo, hi := w.limits()
	r := l.interval(x)
	low = r.Lo < lo && r.Lo > -unbounded && !l.atLeast(expr.Binary(expr.OpSub, x, expr.Int(lo)))
	high = w.size < 8 && r.Hi > hi && r.Hi < unbounded && !l.atLeast(expr.Binary(expr.OpSub, expr.Int(hi), x))
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
	case *cc.ConditionalExpression:
		return true
	}
	return false
}

// overflow warns of signed arithmetic that may leave int, which C does not define.
func (l *lowerer) overflow(e cc.Node, x *expr.Expr, w width) {
	if w != (width{size: 4}) {
		return
	}
	r := l.interval(x)
	if r.Lo < -unbounded || r.Hi > unbounded {
		return
	}
	low, high := l.beyond(x, w)
	p := position(e)
	key := fmt.Sprintf("overflow %s:%d", p.File, p.Line)
	if !low && !high || l.quiet || l.warned[key] {
		return
	}
	l.warned[key] = true
	l.warn(e, "%s may overflow int (%d to %d), which C does not define; compute it in long", text(e), r.Lo, r.Hi)
}

// intArithmetic is a + b and the like, in the type that C computes it in.
func (l *lowerer) intArithmetic(e, a, b cc.ExpressionNode) *expr.Expr {
	w := widthOf(e.Type()).promoted()
	switch n := e.(type) {
	case *cc.AdditiveExpression:
		x := l.combine(e, l.as(a, w), l.as(b, w))
		l.overflow(e, x, w)
		return x
	case *cc.MultiplicativeExpression:
		if n.Case != cc.MultiplicativeExpressionMul {
			return l.combine(e, l.exactly(a, w), l.exactly(b, w))
		}
		x := l.combine(e, l.as(a, w), l.as(b, w))
		l.overflow(e, x, w)
		return x
	case *cc.ShiftExpression:
		w = widthOf(a.Type()).promoted()
		if n.Case == cc.ShiftExpressionRsh {
			return l.combine(e, l.exactly(a, w), l.int(b))
		}
		x := l.combine(e, l.as(a, w), l.int(b))
		l.overflow(e, x, w)
		return x
	case *cc.RelationalExpression:
		w = commonWidth(a.Type(), b.Type())
		return l.combine(e, l.exactly(a, w), l.exactly(b, w))
	case *cc.EqualityExpression:
		return l.intEquality(e, a, b)
	}
	return l.combine(e, l.as(a, w), l.as(b, w)) // bits: the same modulo the width
}

// intEquality compares modulo the width, which is exact as long as the two sides cannot be a whole turn apart.
func (l *lowerer) intEquality(e, a, b cc.ExpressionNode) *expr.Expr {
	w := commonWidth(a.Type(), b.Type())
	x, y := l.as(a, w), l.as(b, w)
	if w.size < 8 {
		turn := int64(1) << (8 * w.size)
		if r := l.interval(expr.Binary(expr.OpSub, x, y)); r.Lo > -unbounded && r.Lo <= -turn || r.Hi < unbounded && r.Hi >= turn {
			l.fit(a, x, w)
			l.fit(b, y, w)
		}
	}
	return l.combine(e, x, y)
}
