package value

import (
	"math/bits"

	"foresee/application/csource/tree"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// shift is a shift by a known number of bits, as a product or a quotient.
func (vs *Values) shift(n *cc.ShiftExpression, a, b *expr.Expr) *expr.Expr {
	k, ok := Constant(b)
	if !ok || k < 0 || k > 61 {
		return vs.notInt(n)
	}
	if n.Case == cc.ShiftExpressionLsh {
		return vs.Arithmetic(n, expr.OpMul, a, expr.Int(1<<k))
	}
	return vs.Arithmetic(n, expr.OpFloorDiv, a, expr.Int(1<<k))
}

// mask is a & m of a constant m: of each run of bits, what is left of a below its end and not below its begin. Negative numbers are taken as two's
// complement, by division that rounds down.
func (vs *Values) mask(n cc.ExpressionNode, a, b *expr.Expr) *expr.Expr {
	if _, ok := Constant(a); ok {
		a, b = b, a
	}
	m, ok := Constant(b)
	if _, known := Constant(a); known || !ok || m < -1<<61 || m >= 1<<61 {
		return vs.bitwise(n, a, b)
	}
	sum := expr.Int(0)
	for from := 0; from < 62; from++ {
		if m>>from&1 == 0 {
			continue
		}
		low := vs.lowest(n, a, from)
		for from < 62 && m>>from&1 == 1 {
			from++
		}
		high := a // a negative mask has all bits from there on
		if from < 62 {
			high = vs.lowest(n, a, from)
		}
		run := high
		if c, ok := Constant(low); !ok || c != 0 {
			run = vs.Arithmetic(n, expr.OpSub, high, low)
		}
		if c, ok := Constant(sum); ok && c == 0 {
			sum = run
		} else {
			sum = vs.Arithmetic(n, expr.OpAdd, sum, run)
		}
	}
	return sum
}

// parity is (a ^ b ^ …) & 1, the colour of red-black loops, whose lowest bit is that of a + b + …; nil of all else.
func (vs *Values) parity(e, a, b cc.ExpressionNode) *expr.Expr {
	if _, ok := e.(*cc.AndExpression); !ok {
		return nil
	}
	if _, ok := tree.Strip(b).(*cc.ExclusiveOrExpression); ok {
		a, b = b, a
	}
	if _, ok := tree.Strip(a).(*cc.ExclusiveOrExpression); !ok {
		return nil
	}
	if k, ok := TryConstant(vs.TryInt(b)); !ok || k != 1 {
		return nil
	}
	return vs.lowest(e, vs.sumOfXor(a), 1)
}

// sumOfXor is the sum of what an exclusive or is of.
func (vs *Values) sumOfXor(e cc.ExpressionNode) *expr.Expr {
	if n, ok := tree.Strip(e).(*cc.ExclusiveOrExpression); ok {
		return vs.Arithmetic(e, expr.OpAdd, vs.sumOfXor(n.ExclusiveOrExpression), vs.sumOfXor(n.AndExpression))
	}
	return vs.Int(e)
}

// lowest are the lowest bits of a number.
func (vs *Values) lowest(n cc.Node, a *expr.Expr, bits int) *expr.Expr {
	size := expr.Int(1 << bits)
	switch {
	case bits == 0:
		return expr.Int(0)
	case vs.Interval(a).Lo >= 0:
		return vs.Arithmetic(n, expr.OpMod, a, size)
	}
	return vs.Arithmetic(n, expr.OpSub, a, vs.Arithmetic(n, expr.OpMul, vs.Arithmetic(n, expr.OpFloorDiv, a, size), size))
}

// bitOp are the operators that combine numbers bit by bit.
type bitOp int

const (
	noBits bitOp = iota
	bitsAnd
	bitsOr
	bitsXor
)

// bitsOf is the operator of an expression.
func bitsOf(e cc.ExpressionNode) bitOp {
	switch x := e.(type) {
	case *cc.AndExpression:
		return bitsAnd
	case *cc.InclusiveOrExpression:
		return bitsOr
	case *cc.ExclusiveOrExpression:
		return bitsXor
	case *cc.AssignmentExpression:
		return map[cc.AssignmentExpressionCase]bitOp{
			cc.AssignmentExpressionAnd: bitsAnd, cc.AssignmentExpressionOr: bitsOr, cc.AssignmentExpressionXor: bitsXor,
		}[x.Case]
	}
	return noBits
}

// Masked is a &= b, a |= b or a ^= b.
func (vs *Values) Masked(n *cc.AssignmentExpression, a, b *expr.Expr) *expr.Expr {
	if bitsOf(n) == bitsAnd {
		return vs.mask(n, a, b)
	}
	return vs.bitwise(n, a, b)
}

// bitwise is an and, or or exclusive or: of constants, with a constant, or of values that are 0 or 1, such as colours.
func (vs *Values) bitwise(e cc.ExpressionNode, a, b *expr.Expr) *expr.Expr {
	op := bitsOf(e)
	x, okA := Constant(a)
	y, okB := Constant(b)
	if okA && okB {
		switch op {
		case bitsAnd:
			return expr.Int(x & y)
		case bitsOr:
			return expr.Int(x | y)
		case bitsXor:
			return expr.Int(x ^ y)
		}
	}
	if vs.isBit(a) && vs.isBit(b) {
		switch op {
		case bitsAnd:
			return vs.Arithmetic(e, expr.OpMin, a, b)
		case bitsOr:
			return vs.Arithmetic(e, expr.OpMax, a, b)
		case bitsXor:
			return vs.Arithmetic(e, expr.OpMod, vs.Arithmetic(e, expr.OpAdd, a, b), expr.Int(2))
		}
	}
	if op != bitsAnd && (vs.apart(a, b) || vs.apart(b, a)) {
		return vs.Arithmetic(e, expr.OpAdd, a, b)
	}
	if okA {
		a, y, okB = b, x, true
	}
	if okB && y >= -1<<61 && y < 1<<61 { // a | m = a + m - (a & m), and a ^ m without a & m once more
		both := vs.mask(e, a, expr.Int(y))
		sum := vs.Arithmetic(e, expr.OpAdd, a, expr.Int(y))
		switch op {
		case bitsOr:
			return vs.Arithmetic(e, expr.OpSub, sum, both)
		case bitsXor:
			x := vs.Arithmetic(e, expr.OpSub, sum, vs.Arithmetic(e, expr.OpMul, both, expr.Int(2)))
			if y >= 0 && vs.Interval(a).Lo >= 0 && vs.Interval(x).Lo < 0 { // whose sign bits are equal
				x = vs.Arithmetic(e, expr.OpMax, x, expr.Int(0))
			}
			return x
		}
	}
	return vs.notInt(e)
}

// apart tells whether a number has no bit of those that another, which is not negative, may have: p - p % 8, and p % 8.
func (vs *Values) apart(a, b *expr.Expr) bool {
	r := vs.Interval(b)
	return r.Lo >= 0 && r.Hi < 1<<bits.TrailingZeros64(uint64(factor(a)|1<<60))
}

// factor is a number that divides an expression, whatever its variables are; 0 divides only 0.
func factor(e *expr.Expr) int64 {
	sum, ok := LinearOf(e)
	if !ok {
		return 1
	}
	g, atoms := int64(0), sum.atoms
	sum.atoms = nil
	for _, a := range atoms {
		c, size, fits := int64(0), int64(0), false
		if a.expr.Op == expr.OpMod { // x % c is x less a multiple of c
			c, _ = Constant(a.expr.B)
			size, fits = mul64(a.coef, c)
		}
		switch {
		case c == 0 || !fits:
			g = divisor(g, a.coef)
		case !sum.add(a.expr.A, a.coef):
			return 1
		default:
			g = divisor(g, size)
		}
	}
	for _, a := range sum.atoms {
		g = divisor(g, a.coef)
	}
	g = divisor(g, sum.K)
	for _, k := range sum.Vars {
		g = divisor(g, k)
	}
	return g
}

// divisor is the greatest that two numbers have in common.
func divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// isBit tells what is 0 or 1.
func (vs *Values) isBit(x *expr.Expr) bool {
	r := vs.Interval(x)
	return r.Lo >= 0 && r.Hi <= 1
}

// Turn says that a variable is First plus a multiple of Step.
type Turn struct{ First, Step int64 }

// residue is the remainder of a sum that is not negative, where it is the same in all iterations: of 6i + 7 by 3, and of i + 1 by 2 where i steps by 2.
func (vs *Values) residue(e *expr.Expr, by int64) (int64, bool) {
	sum, ok := LinearOf(e)
	if !ok || by <= 0 || vs.Interval(e).Lo < 0 {
		return 0, false
	}
	rest := sum.K % by
	for v, k := range sum.Vars {
		k %= by
		t, known := vs.Turns[v]
		if k != 0 && (!known || k*(t.Step%by)%by != 0) {
			return 0, false
		}
		rest += k * (t.First % by) % by
	}
	for _, a := range sum.atoms {
		if a.coef%by != 0 {
			return 0, false
		}
	}
	return (rest%by + by) % by, true
}
