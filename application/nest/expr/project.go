package expr

// Box bounds variables, and can be narrowed.
type Box struct {
	At     func(v Var) Range
	Narrow func(v Var, to Range) bool // to what the range leaves; false: nothing
}

// Project narrows a box to what may give e a value in a range, by what each operator's inverse leaves of its operands; false where nothing does. What is
// left out never gives such a value; some of what is left may not either.
func (e *Expr) Project(to Range, box *Box) bool {
	_, ok := e.project(to, box)
	return ok
}

// project is Project, with the range of e before.
func (e *Expr) project(to Range, box *Box) (Range, bool) {
	switch e.Op {
	case OpConst:
		return Range{e.K, e.K}, to.Lo <= e.K && e.K <= to.Hi
	case OpVar:
		return box.At(Var(e.K)), box.Narrow(Var(e.K), to)
	}
	r := e.Interval(box.At)
	to = Range{max(to.Lo, r.Lo), min(to.Hi, r.Hi)}
	switch {
	case to.Lo > to.Hi:
		return r, false
	case to == r: // it tells nothing of the operands
		return r, true
	case e.Op == OpCond:
		return r, e.projectChoice(to, box)
	case e.Op == OpNeg:
		return r, e.A.Project(Range{-to.Hi, -to.Lo}, box)
	case e.Op == OpLookup:
		return r, e.projectLookup(to, box)
	case e.B == nil:
		return r, true
	}
	a, b := e.A.Interval(box.At), e.B.Interval(box.At)
	if x, ok := inverseLeft(e.Op, to, a, b); ok && x != a {
		if !e.A.Project(x, box) {
			return r, false
		}
		a = e.A.Interval(box.At)
	}
	if x, ok := inverseRight(e.Op, to, a, b); ok && x != b {
		return r, e.B.Project(x, box)
	}
	return r, true
}

// projectChoice narrows the side of a conditional expression that is taken, where only one can be.
func (e *Expr) projectChoice(to Range, box *Box) bool {
	c := e.A.Interval(box.At)
	misses := func(x *Expr) bool {
		r := x.Interval(box.At)
		return r.Hi < to.Lo || r.Lo > to.Hi
	}
	yes, no := c != Range{0, 0} && !misses(e.B), (c.Lo <= 0 && c.Hi >= 0) && !misses(e.C)
	switch {
	case yes && no:
		return true
	case yes:
		return e.B.Project(to, box)
	case no:
		return e.C.Project(to, box)
	}
	return false
}

// inverseLeft is where the left operand has to lie for the result of an operator to lie in a range; false where that is not told.
func inverseLeft(op Op, to, a, b Range) (Range, bool) {
	switch op {
	case OpAdd:
		return Range{satAdd(to.Lo, -b.Hi), satAdd(to.Hi, -b.Lo)}, true
	case OpSub:
		return Range{satAdd(to.Lo, b.Lo), satAdd(to.Hi, b.Hi)}, true
	case OpMul:
		return factor(to, b)
	case OpMin:
		return lesser(to, a, b), true
	case OpMax:
		return negatedRange(lesser(negatedRange(to), negatedRange(a), negatedRange(b))), true
	case OpFloorDiv, OpDiv:
		return dividend(op, to, b)
	case OpLt, OpLe:
		if to.Lo == 1 {
			return Range{a.Lo, b.Hi - Truth(op == OpLt)}, true
		}
		if to.Hi == 0 {
			return Range{b.Lo + Truth(op == OpLe), a.Hi}, true
		}
	}
	return Range{}, false
}

// inverseRight is the same of the right operand.
func inverseRight(op Op, to, a, b Range) (Range, bool) {
	switch op {
	case OpAdd, OpMul, OpMin, OpMax:
		return inverseLeft(op, to, b, a)
	case OpSub:
		return Range{satAdd(a.Lo, -to.Hi), satAdd(a.Hi, -to.Lo)}, true
	case OpLt, OpLe:
		if to.Lo == 1 {
			return Range{a.Lo + Truth(op == OpLt), b.Hi}, true
		}
		if to.Hi == 0 {
			return Range{b.Lo, a.Hi - Truth(op == OpLe)}, true
		}
	}
	return Range{}, false
}

func negatedRange(r Range) Range { return Range{-r.Hi, -r.Lo} }

// lesser is where a lies if the lesser of a and b lies in a range.
func lesser(to, a, b Range) Range {
	r := Range{max(a.Lo, to.Lo), a.Hi}
	if b.Lo > to.Hi {
		r.Hi = min(r.Hi, to.Hi)
	}
	return r
}

// factor is where x lies if its product with some y of b lies in a range; false where y may be 0.
func factor(to, b Range) (Range, bool) {
	switch {
	case b.Hi < 0:
		to, b = negatedRange(to), negatedRange(b)
	case b.Lo <= 0:
		return Range{}, false
	}
	return Range{
		min(CeilDiv(to.Lo, b.Lo), CeilDiv(to.Lo, b.Hi)),
		max(FloorDiv(to.Hi, b.Lo), FloorDiv(to.Hi, b.Hi)),
	}, true
}

// dividend is where x lies if its quotient by some y of b, which is positive, lies in a range.
func dividend(op Op, to, b Range) (Range, bool) {
	if b.Lo <= 0 {
		return Range{}, false
	}
	least := func(q int64) int64 { return min(satMul(q, b.Lo), satMul(q, b.Hi)) }
	most := func(q int64) int64 { return max(satMul(q, b.Lo), satMul(q, b.Hi)) }
	lo, hi := least(to.Lo), satAdd(most(to.Hi+1), -1)
	if op == OpDiv { // towards 0
		if to.Lo <= 0 {
			lo = satAdd(least(to.Lo-1), 1)
		}
		if to.Hi < 0 {
			hi = most(to.Hi)
		}
	}
	return Range{lo, hi}, true
}
