package expr

import (
	"math"
	"math/bits"

	"foresee/model/schedule"
)

// Range is a closed interval of integers.
type Range struct{ Lo, Hi int64 }

// Whole is the range of a value about which nothing is known.
var Whole = Range{math.MinInt64 / 4, math.MaxInt64 / 4}

// Interval bounds e when each variable lies in its range; the true range may be smaller.
func (e *Expr) Interval(at func(Var) Range) Range {
	switch e.Op {
	case OpConst:
		return Range{e.K, e.K}
	case OpVar:
		return at(Var(e.K))
	}
	var b, c Range
	if e.B != nil {
		b = e.B.Interval(at)
	}
	if e.C != nil {
		c = e.C.Interval(at)
	}
	return e.Combine(e.A.Interval(at), b, c)
}

// Combine bounds an operation whose operands are bounded.
func (e *Expr) Combine(a, b, c Range) Range {
	switch {
	case e.Op == OpCond:
		return choice(a, b, c)
	case e.Op == OpNeg:
		return Range{-a.Hi, -a.Lo}
	case e.Op == OpLookup:
		return e.table.Span(a)
	case e.B == nil:
		return three(a == Range{0, 0}, a.Lo > 0 || a.Hi < 0)
	case e.Op == OpBlockStart && a.Lo >= 0:
		return Range{schedule.NewBlocks(b.Lo, e.K).Start(a.Lo), schedule.NewBlocks(b.Hi, e.K).Start(a.Hi)}
	case e.Op == OpGuidedStart && a.Lo >= 0:
		return Range{e.guided.start(a.Lo, b.Lo), e.guided.start(a.Hi, b.Hi)}
	}
	return combine(e.Op, a, b)
}

// choice is the range of a conditional expression.
func choice(condition, yes, no Range) Range {
	switch {
	case condition.Lo > 0 || condition.Hi < 0:
		return yes
	case condition == Range{0, 0}:
		return no
	}
	return Range{min(yes.Lo, no.Lo), max(yes.Hi, no.Hi)}
}

// three is the range of a truth value known to be true, known to be false, or unknown.
func three(yes, no bool) Range {
	switch {
	case yes:
		return Range{1, 1}
	case no:
		return Range{0, 0}
	}
	return Range{0, 1}
}

// combine is the range of an operator, by those of its operands; sums and products stay within the whole range.
func combine(op Op, a, b Range) Range {
	zeroA, zeroB := a == Range{0, 0}, b == Range{0, 0}
	trueA, trueB := a.Lo > 0 || a.Hi < 0, b.Lo > 0 || b.Hi < 0
	switch op {
	case OpAdd:
		return Range{satAdd(a.Lo, b.Lo), satAdd(a.Hi, b.Hi)}
	case OpSub:
		return Range{satAdd(a.Lo, -b.Hi), satAdd(a.Hi, -b.Lo)}
	case OpMul:
		p, q, r, s := satMul(a.Lo, b.Lo), satMul(a.Lo, b.Hi), satMul(a.Hi, b.Lo), satMul(a.Hi, b.Hi)
		return Range{min(p, q, r, s), max(p, q, r, s)}
	case OpMin:
		return Range{min(a.Lo, b.Lo), min(a.Hi, b.Hi)}
	case OpMax:
		return Range{max(a.Lo, b.Lo), max(a.Hi, b.Hi)}
	case OpDiv, OpFloorDiv, OpCeilDiv:
		return quotient(op, a, b)
	case OpMod:
		return remainder(a, b)
	case OpLt:
		return three(a.Hi < b.Lo, a.Lo >= b.Hi)
	case OpLe:
		return three(a.Hi <= b.Lo, a.Lo > b.Hi)
	case OpEq:
		return three(a.Lo == a.Hi && a == b, a.Hi < b.Lo || a.Lo > b.Hi)
	case OpNe:
		return three(a.Hi < b.Lo || a.Lo > b.Hi, a.Lo == a.Hi && a == b)
	case OpAnd:
		return three(trueA && trueB, zeroA || zeroB)
	case OpOr:
		return three(trueA || trueB, zeroA && zeroB)
	}
	return Whole
}

// quotient is the range of a division whose divisor is not 0; it is monotonous between the corners.
func quotient(op Op, a, b Range) Range {
	if b.Lo <= 0 && b.Hi >= 0 {
		return Whole
	}
	p, q, r, s := apply(op, a.Lo, b.Lo), apply(op, a.Lo, b.Hi), apply(op, a.Hi, b.Lo), apply(op, a.Hi, b.Hi)
	return Range{min(p, q, r, s), max(p, q, r, s)}
}

// remainder is the range of a remainder; of a constant divisor it is exact where the operand passes no multiple, and so of constants, as all ranges are.
func remainder(a, b Range) Range {
	if b.Lo == b.Hi && b.Lo != 0 && a.Lo/b.Lo == a.Hi/b.Lo {
		return Range{a.Lo % b.Lo, a.Hi % b.Lo}
	}
	if b.Lo != b.Hi || b.Lo <= 0 {
		if b.Lo > 0 && a.Lo >= 0 {
			return Range{0, min(a.Hi, b.Hi-1)}
		}
		return Whole
	}
	m := b.Lo
	r := Range{0, min(m-1, max(a.Hi, 0))}
	if a.Lo < 0 {
		r.Lo = max(-(m - 1), a.Lo)
	}
	return r
}

func satAdd(a, b int64) int64 { return clamp(a + b) } // operands lie within Whole, so a+b cannot wrap

func satMul(a, b int64) int64 {
	hi, lo := bits.Mul64(abs(a), abs(b))
	if hi != 0 || lo > uint64(Whole.Hi) {
		if (a < 0) != (b < 0) {
			return Whole.Lo
		}
		return Whole.Hi
	}
	return a * b
}

func clamp(v int64) int64 { return max(Whole.Lo, min(Whole.Hi, v)) }

func abs(a int64) uint64 {
	if a < 0 {
		return uint64(-a)
	}
	return uint64(a)
}
