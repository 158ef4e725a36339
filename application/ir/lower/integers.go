package lower

import (
	"math/bits"
	"strings"

	"foresee/application/csource/value"
	"foresee/application/ir/text"
	"foresee/application/nest/expr"
)

// arithmetic is an operation on two integers, or on addresses of one object.
func (l *lowerer) arithmetic(f *frame, in *text.Inst) val {
	a, b := l.operand(f, in.Args[0]), l.operand(f, in.Args[1])
	if a.kind == pointer || b.kind == pointer {
		return l.pointerArithmetic(in.Op, a, b)
	}
	if a.kind != integer || b.kind != integer {
		if v, ok := l.beside(f, in, a, b); ok {
			return v
		}
		if a.kind == integer {
			return l.lost(b)
		}
		return l.lost(a)
	}
	width := int64(64)
	if in.Type != nil && in.Type.Kind == text.Int {
		width = in.Type.Bits
	}
	e := l.combined(in, a.e, b.e, width)
	if e == nil {
		return unknown(notFollowed)
	}
	if e.Op == expr.OpConst && width < 64 {
		return constant(signed(e.K, width))
	}
	if r := l.interval(e); width > 1 && width < 32 && !fits(r, width) {
		return l.wrapped(val{kind: integer, e: value.Normal(e)}, width, r)
	}
	return val{kind: integer, e: value.Normal(e)}
}

// notFollowed is why a number is not known that is computed of others that are.
const notFollowed = "it is computed in a way that is not followed"

// signed is a number as a signed type of so many bits holds it; one bit holds 0 and 1.
func signed(n, width int64) int64 {
	if width == 1 {
		return n & 1
	}
	shift := 64 - width
	return n << shift >> shift
}

// pointerArithmetic is a difference of addresses, or an address plus a number.
func (l *lowerer) pointerArithmetic(op string, a, b val) val {
	switch {
	case op == "sub" && a.kind == pointer && b.kind == pointer && a.o == b.o:
		return val{kind: integer, e: minus(a.e, b.e)}
	case op == "sub" && a.kind == pointer && b.kind == integer:
		return val{kind: pointer, o: a.o, e: minus(a.e, b.e)}
	case op == "add" && a.kind == pointer && b.kind == integer:
		return val{kind: pointer, o: a.o, e: plus(a.e, b.e)}
	case op == "add" && b.kind == pointer && a.kind == integer:
		return val{kind: pointer, o: b.o, e: plus(a.e, b.e)}
	}
	if n, ok := b.isConstant(); ok && op == "and" && a.kind == pointer && a.o != nil { // objects begin at lines, so that offsets tell
		if e := l.masked(a.e, n, 64); e != nil {
			if n > 0 {
				return val{kind: integer, e: e}
			}
			return val{kind: pointer, o: a.o, e: e}
		}
	}
	if a.kind == data {
		return l.lost(a)
	}
	if b.kind == data {
		return l.lost(b)
	}
	return unknown("it is computed of an address")
}

// combined is an operation on two integers; nil where it is not followed.
func (l *lowerer) combined(in *text.Inst, a, b *expr.Expr, width int64) *expr.Expr {
	k, known := int64(0), b.Op == expr.OpConst
	if known {
		k = b.K
	}
	switch in.Op {
	case "add":
		return plus(a, b)
	case "sub":
		return minus(a, b)
	case "mul":
		return times(a, b)
	case "shl":
		if known && k >= 0 && k < 62 {
			return times(a, expr.Int(int64(1)<<k))
		}
	case "sdiv", "srem", "udiv", "urem":
		return l.quotient(in.Op, a, b)
	case "ashr", "lshr":
		return l.shifted(in.Op, a, k, known, width)
	case "and":
		return l.conjunction(a, b, width)
	case "or":
		return l.disjunction(in, a, b, width)
	case "xor":
		switch {
		case known && width == 1 && k == 1:
			return expr.Unary(expr.OpNot, a)
		case known && k == -1:
			return minus(expr.Int(-1), a)
		case a.Op == expr.OpConst && known:
			return expr.Int(a.K ^ k)
		}
	}
	return nil
}

func (l *lowerer) quotient(op string, a, b *expr.Expr) *expr.Expr {
	if b.Op != expr.OpConst || b.K <= 0 {
		if a.Op != expr.OpConst || b.Op != expr.OpConst || b.K == 0 {
			return nil
		}
	}
	if op[0] == 'u' && l.interval(a).Lo < 0 {
		if a.Op != expr.OpConst && l.interval(a).Lo > -value.Unbounded {
			return nil
		}
		if a.Op == expr.OpConst {
			q, r := uint64(a.K)/uint64(b.K), uint64(a.K)%uint64(b.K)
			if op == "udiv" {
				return expr.Int(int64(q))
			}
			return expr.Int(int64(r))
		}
	}
	if op == "sdiv" || op == "udiv" {
		if e := divided(a, b.K); e != nil {
			return e
		}
		return expr.Binary(expr.OpDiv, a, b)
	}
	if divided(a, b.K) != nil {
		return expr.Int(0)
	}
	return expr.Binary(expr.OpMod, a, b)
}

// divided is a quotient without remainder whatever the variables are, nil where there may be one.
func divided(a *expr.Expr, k int64) *expr.Expr {
	if _, ok := expr.AffineOf(a); !ok && k > 0 {
		return value.Quotient(a, k)
	}
	return affinely(a, k)
}

// affinely is divided of what is affine; nil of others.
func affinely(a *expr.Expr, k int64) *expr.Expr {
	form, ok := expr.AffineOf(a)
	if !ok || k == 0 || form.K%k != 0 {
		return nil
	}
	e := expr.Int(form.K / k)
	for _, t := range form.Terms {
		if t.C%k != 0 {
			return nil
		}
		e = plus(e, times(expr.Int(t.C/k), expr.Ref(t.V)))
	}
	return e
}

func (l *lowerer) shifted(op string, a *expr.Expr, k int64, known bool, width int64) *expr.Expr {
	if !known || k < 0 || k > 62 {
		return nil
	}
	if e := divided(a, int64(1)<<k); e != nil && op == "ashr" { // the lowest bits of a number, with their sign
		return l.extended(val{kind: integer, e: e}, width-k).e
	}
	if e := divided(a, int64(1)<<k); e != nil && (l.interval(a).Lo >= 0 || a.Op != expr.OpConst) {
		return e
	}
	if op == "lshr" && l.interval(a).Lo < 0 {
		if a.Op == expr.OpConst {
			mask := ^uint64(0)
			if width < 64 {
				mask = uint64(1)<<width - 1
			}
			return expr.Int(int64((uint64(a.K) & mask) >> k))
		}
		if l.interval(a).Lo > -value.Unbounded {
			return nil
		}
	}
	return expr.Binary(expr.OpFloorDiv, a, expr.Int(int64(1)<<k))
}

// conjunction is a & b.
func (l *lowerer) conjunction(a, b *expr.Expr, width int64) *expr.Expr {
	if width == 1 {
		return expr.Binary(expr.OpAnd, a, b)
	}
	if a.Op == expr.OpConst {
		a, b = b, a
	}
	if b.Op != expr.OpConst {
		return nil
	}
	return l.masked(a, b.K, width)
}

// masked is a & k.
func (l *lowerer) masked(a *expr.Expr, k, width int64) *expr.Expr {
	if a.Op == expr.OpConst {
		return expr.Int(a.K & k)
	}
	if k > 0 && k&(k+1) == 0 { // the lowest bits
		if form, ok := expr.AffineOf(a); ok && k == 1<<32-1 && form.K != signed(form.K, 32) { // a number that is taken off in 32 bits
			a = plus(a, expr.Int(signed(form.K, 32)-form.K))
		}
		r := l.interval(a)
		switch {
		case r.Lo >= 0 && r.Hi <= k:
			return a
		case k == 1<<32-1 && (r.Hi >= value.Unbounded || r.Lo <= -value.Unbounded || r.Lo >= -1):
			return a // a count that was cut to 32 bits and is taken to fit
		case divided(a, k+1) != nil:
			return expr.Int(0)
		case r.Lo >= 0:
			return expr.Binary(expr.OpMod, a, expr.Int(k+1))
		}
		return minus(a, times(expr.Int(k+1), expr.Binary(expr.OpFloorDiv, a, expr.Int(k+1))))
	}
	low := int64(1) << bits.TrailingZeros64(uint64(k))
	mask := int64(-1)
	if width < 64 && k > 0 {
		mask = int64(1)<<width - 1
	}
	if rest := (k | (low - 1)); low > 1 && rest == mask || rest == 1<<(width-1)-1 && width > 1 && width <= 63 || rest == 1<<63-1 { // all but the lowest bits
		if divided(a, low) != nil {
			return a
		}
		return times(expr.Int(low), expr.Binary(expr.OpFloorDiv, a, expr.Int(low)))
	}
	if rest := k | (low - 1); k > 0 && low > 1 && rest&(rest+1) == 0 { // bits in the middle, as of i * 8 in 32 bits
		if a = l.masked(a, rest, width); a == nil || divided(a, low) != nil {
			return a
		}
		return times(expr.Int(low), expr.Binary(expr.OpFloorDiv, a, expr.Int(low)))
	}
	return nil
}

// disjunction is a | b, a sum where they have no bit in common.
func (l *lowerer) disjunction(in *text.Inst, a, b *expr.Expr, width int64) *expr.Expr {
	switch {
	case width == 1:
		return expr.Binary(expr.OpOr, a, b)
	case a.Op == expr.OpConst && b.Op == expr.OpConst:
		return expr.Int(a.K | b.K)
	case in.Flags&text.Disjoint != 0:
		return plus(a, b)
	case b.Op == expr.OpConst && b.K > 0:
		if divided(a, int64(1)<<bits.Len64(uint64(b.K))) != nil {
			return plus(a, b)
		}
	}
	return nil
}

// mostApart bounds how far apart two numbers are of which either is as good. Chosen: some elements, which lie in the same lines or in those of the next row.
const mostApart = 8

// neighbour is one of two numbers close to each other of which data decide: places of neighbours in a grid, as an upwind scheme has them. One may be as it
// is in 32 bits. Numbers that count what data decide are none: they go from one iteration to the next, or begin as constants.
func (l *lowerer) neighbour(f *frame, in *text.Inst, a, b val) (val, bool) {
	if !isPlace(a) || !isPlace(b) || goesOn(f, in) {
		return val{}, false
	}
	d, ok := nearness(a.e, b.e)
	if !ok {
		return val{}, false
	}
	l.warn(l.place(in), "data decide between two places next to each other; one of them is taken")
	if d > mostApart {
		return b, true
	}
	return a, true
}

// nearness is how far apart two numbers are, where they are close to each other, but for where a border holds one back.
func nearness(a, b *expr.Expr) (int64, bool) {
	if d := minus(a, b); d.Op == expr.OpConst {
		near := int64(int32(d.K))
		return d.K, -mostApart <= near && near <= mostApart
	}
	for _, of := range [][2]*expr.Expr{{a, b}, {b, a}} {
		if held, other := of[0], of[1]; held.Op == expr.OpMin || held.Op == expr.OpMax {
			for _, x := range []*expr.Expr{held.A, held.B} {
				if x.Op == expr.OpConst {
					continue
				}
				if d, ok := nearness(x, other); ok {
					return d, true
				}
			}
		}
	}
	return 0, false
}

// beside is a number to which data add one or nothing, as compilers write the choice between two neighbours.
func (l *lowerer) beside(f *frame, in *text.Inst, a, b val) (val, bool) {
	if in.Op != "add" && in.Op != "sub" {
		return val{}, false
	}
	for i, v := range []val{b, a} {
		made := f.graph.makes[in.Args[i].Name]
		if !isPlace(v) || made == nil || made.Op != "sext" && made.Op != "zext" || made.Args[0].Type == nil || made.Args[0].Type.Bits != 1 || goesOn(f, in) {
			continue
		}
		l.warn(l.place(in), "data decide between two places next to each other; one of them is taken")
		return v, true
	}
	return val{}, false
}

// mostInTurn bounds tables of which data choose the elements, in bytes. Chosen, as for C: an L1 holds one.
const mostInTurn = 16 << 10

// inTurn stands for an index that data choose of a small table: its elements are taken in turn. It is nil where nothing bounds the index, or the table is none.
func (l *lowerer) inTurn(f *frame, in *text.Inst, index text.Operand, table *object, size int64) *expr.Expr {
	n := below(f, index, maxDepth)
	if table == nil || n == 0 || size <= 0 || n > mostInTurn/size || len(l.counters) == 0 {
		return nil
	}
	l.warn(l.place(in), "which element of %s this is is not known before the run; %d bytes are taken to be used in turn, so that smaller caches may miss more than is told", shown(table), n*size)
	return expr.Binary(expr.OpMod, expr.Ref(l.counters[len(l.counters)-1]), expr.Int(n))
}

// below is a number that an index stays below, whatever the data are that it is computed of, as a mask, a remainder or its type tells; 0 where nothing does.
func below(f *frame, index text.Operand, depth int) (n int64) {
	in := f.makes[index.Name]
	if index.Kind != text.Local || in == nil || depth == 0 || in.Type == nil {
		return 0
	}
	least := func(m int64) {
		if m > 0 && (n == 0 || m < n) {
			n = m
		}
	}
	switch in.Op {
	case "zext":
		least(below(f, in.Args[0], depth-1))
		if from := in.Args[0].Type; from != nil && from.Bits < 32 {
			least(int64(1) << from.Bits)
		}
	case "sext", "freeze":
		n = below(f, in.Args[0], depth-1)
	case "and":
		for _, a := range in.Args {
			if a.Kind == text.Number && a.Int >= 0 {
				least(a.Int + 1)
			} else {
				least(below(f, a, depth-1))
			}
		}
	case "urem":
		if k := in.Args[1]; k.Kind == text.Number {
			least(k.Int)
		}
	case "lshr":
		if k := in.Args[1]; k.Kind == text.Number && k.Int > 0 && k.Int < in.Type.Bits {
			if of := below(f, in.Args[0], depth-1); of > 0 {
				least((of-1)>>k.Int + 1)
			}
			if left := in.Type.Bits - k.Int; left < 32 {
				least(int64(1) << left)
			}
		}
	}
	return n
}

// isPlace tells integers that loops step.
func isPlace(v val) bool { return v.kind == integer && v.e.Op != expr.OpConst }

// goesOn tells whether a value is used for more than to compute addresses: to go on from there in another iteration, or to decide.
func goesOn(f *frame, in *text.Inst) bool { return !onlyAddresses(f, in.Name, maxDepth) }

func onlyAddresses(f *frame, name string, depth int) bool {
	if depth == 0 {
		return false
	}
	for _, u := range f.graph.uses[name] {
		switch u.in.Op {
		case "getelementptr":
		case "add", "sub", "mul", "shl", "ashr", "lshr", "or", "sext", "zext", "trunc", "freeze":
			if !onlyAddresses(f, u.in.Name, depth-1) {
				return false
			}
		default:
			if !strings.HasPrefix(u.in.Op, "dbg.") {
				return false
			}
		}
	}
	return true
}
