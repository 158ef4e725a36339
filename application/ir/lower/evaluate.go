package lower

import (
	"foresee/application/csource/value"
	"foresee/application/ir/text"
	"foresee/application/nest/expr"
)

// operand is the value of an operand.
func (l *lowerer) operand(f *frame, a text.Operand) val {
	switch a.Kind {
	case text.Local:
		if v, ok := f.vals[a.Name]; ok {
			return v
		}
		return unknown("it is not followed")
	case text.Number:
		return constant(narrowed(a))
	case text.Null:
		return val{kind: pointer, e: expr.Int(0)}
	case text.Undefined:
		return unknown(undefined)
	case text.GlobalName:
		return l.global(a.Name)
	case text.Zero, text.Aggregate:
		return l.parts(f, a)
	case text.Expression:
		in := &text.Inst{Op: a.Op, Args: a.Args, Elem: a.Elem, Type: a.Type, Debug: -1}
		if f == nil {
			f = &frame{vals: map[string]val{}}
		}
		return l.compute(f, in)
	}
	return unknown("it is not followed")
}

// narrowed is a number as its type holds it; one bit is 0 or 1.
func narrowed(a text.Operand) int64 {
	if a.Type != nil && a.Type.Bits == 1 {
		return a.Int & 1
	}
	return a.Int
}

// parts is a constant of several parts.
func (l *lowerer) parts(f *frame, a text.Operand) val {
	if a.Type == nil {
		return unknown("it is not followed")
	}
	if a.Kind == text.Zero {
		switch a.Type.Kind {
		case text.Int:
			return constant(0)
		case text.Pointer:
			return val{kind: pointer, e: expr.Int(0)}
		case text.Struct:
			v := val{kind: aggregate}
			for _, t := range a.Type.Fields {
				v.parts = append(v.parts, l.operand(f, text.Operand{Kind: text.Zero, Type: t}))
			}
			return v
		}
		return unknown("it is not followed")
	}
	v := val{kind: aggregate}
	if a.Type.Kind == text.Vector {
		return unknown("it is a vector")
	}
	for _, p := range a.Args {
		v.parts = append(v.parts, l.operand(f, p))
	}
	return v
}

// maxExpression bounds the nodes of a value, as that of C sources does: of a value that is used twice each expression is twice as long.
const maxExpression = 2000

// compute is the value of an operation on integers and pointers; it makes no accesses and no operations.
func (l *lowerer) compute(f *frame, in *text.Inst) val {
	v := l.uncapped(f, in)
	if v.e != nil && value.Nodes(v.e) > maxExpression {
		return unknown("it is too complicated")
	}
	return v
}

// uncapped is compute without a bound.
func (l *lowerer) uncapped(f *frame, in *text.Inst) val {
	if n := map[string]int{"select": 3, "icmp": 2, "insertvalue": 2}[in.Op]; len(in.Args) < max(n, 1) {
		return unknown("it is not followed")
	}
	switch in.Op {
	case "getelementptr":
		return l.address(f, in)
	case "bitcast", "addrspacecast", "freeze", "inttoptr", "ptrtoint":
		return l.operand(f, in.Args[0])
	case "sext", "zext", "trunc":
		return l.resized(f, in)
	case "icmp":
		return l.comparison(f, in)
	case "select":
		c := l.operand(f, in.Args[0])
		a, b := l.operand(f, in.Args[1]), l.operand(f, in.Args[2])
		if c.kind != integer {
			if v, ok := l.neighbour(f, in, a, b); ok {
				return v
			}
			return choose(nil, a, b)
		}
		if l.always(c.e) {
			return a
		}
		if l.never(c.e) {
			return b
		}
		return choose(c.e, a, b)
	case "extractvalue":
		return extracted(l.operand(f, in.Args[0]), in.Index)
	case "insertvalue":
		return l.inserted(f, in)
	}
	if len(in.Args) == 2 {
		return l.arithmetic(f, in)
	}
	return unknown("it is not followed")
}

// address is where a getelementptr points.
func (l *lowerer) address(f *frame, in *text.Inst) val {
	base := l.operand(f, in.Args[0])
	if base.kind != pointer {
		return base
	}
	at, t := base.e, in.Elem
	for i, a := range in.Args[1:] {
		v := l.operand(f, a)
		size := t.Size()
		if t != nil && i > 0 && t.Elem != nil {
			size = t.Elem.Size()
		}
		if v.kind != integer {
			e := l.inTurn(f, in, a, base.o, size)
			if e == nil {
				return l.lost(v)
			}
			v = val{kind: integer, e: e}
		}
		if i > 0 {
			switch {
			case t == nil:
				return unknown("the type of what it points at is not known")
			case t.Kind == text.Struct:
				n, _ := v.isConstant()
				off, ok := t.Offset(int(n))
				if !ok {
					return unknown("the type of what it points at is not known")
				}
				at, t = plus(at, expr.Int(off)), t.Fields[n]
				continue
			case t.Kind == text.Array || t.Kind == text.Vector:
				t = t.Elem
			default:
				return unknown("the type of what it points at is not known")
			}
		}
		if size == 0 && (t == nil || t.Kind == text.Unknown) {
			return unknown("the type of what it points at is not known")
		}
		at = plus(at, times(v.e, expr.Int(size)))
	}
	return val{kind: pointer, o: base.o, e: at}
}

// lost is a value that is computed of one that is not known.
func (l *lowerer) lost(v val) val {
	why := v.why
	if why == "" {
		why = "it depends on data"
	}
	return unknown(why)
}

// resized is an integer in another width. Values are taken to fit where nothing is known against it.
func (l *lowerer) resized(f *frame, in *text.Inst) val {
	v := l.operand(f, in.Args[0])
	from := in.Args[0].Type
	if v.kind != integer || in.Type == nil || from == nil || from.Kind != text.Int || in.Type.Kind != text.Int {
		return v
	}
	switch in.Op {
	case "sext":
		if n, ok := v.isConstant(); ok && from.Bits == 1 {
			return constant(-n)
		}
		return l.extended(v, from.Bits)
	case "zext":
		if r := l.interval(v.e); r.Lo < 0 && r.Lo > -value.Unbounded && from.Bits < 64 {
			return l.wrapped(v, from.Bits, r)
		}
		return v
	}
	if r := l.interval(v.e); !fits(r, in.Type.Bits) {
		return l.wrapped(v, in.Type.Bits, r)
	}
	return v
}

// extended is an integer of so many bits as a signed one.
func (l *lowerer) extended(v val, width int64) val {
	r, half := l.interval(v.e), int64(1)<<min(width-1, 62)
	if width >= 32 || width == 1 || r.Lo < 0 || r.Hi < half || r.Hi >= value.Unbounded {
		return v
	}
	e := v.e
	if e.Op == expr.OpMod && e.B.Op == expr.OpConst && e.B.K == 2*half && l.interval(e.A).Lo >= 0 {
		e = e.A
	}
	return val{kind: integer, e: minus(expr.Binary(expr.OpMod, plus(e, expr.Int(half)), expr.Int(2*half)), expr.Int(half))}
}

// fits tells whether a range lies in a type, signed or not, as far as it is known.
func fits(r expr.Range, width int64) bool {
	if width >= 64 || r.Lo <= -value.Unbounded || r.Hi >= value.Unbounded {
		return true
	}
	return r.Lo >= -(int64(1)<<(width-1)) && r.Hi < int64(1)<<width
}

// wrapped is an integer of which only the lower bits are kept.
func (l *lowerer) wrapped(v val, width int64, r expr.Range) val {
	if n, ok := v.isConstant(); ok {
		return constant(n & (int64(1)<<width - 1))
	}
	if r.Hi < 0 && r.Lo >= -(int64(1)<<(width-1)) { // negative throughout: the same number, as that of an unsigned type
		return val{kind: integer, e: plus(v.e, expr.Int(int64(1)<<width))}
	}
	if r.Lo >= 0 && r.Hi < value.Unbounded {
		return val{kind: integer, e: expr.Binary(expr.OpMod, v.e, expr.Int(int64(1)<<width))}
	}
	if width >= 32 { // a difference that no program wants to be negative
		return v
	}
	return unknown("it may leave its type")
}

var comparisons = map[string]struct {
	op   expr.Op
	swap bool
}{
	"eq": {expr.OpEq, false}, "ne": {expr.OpNe, false},
	"slt": {expr.OpLt, false}, "sle": {expr.OpLe, false}, "sgt": {expr.OpLt, true}, "sge": {expr.OpLe, true},
	"ult": {expr.OpLt, false}, "ule": {expr.OpLe, false}, "ugt": {expr.OpLt, true}, "uge": {expr.OpLe, true},
}

// comparison is 0 or 1.
func (l *lowerer) comparison(f *frame, in *text.Inst) val {
	a, b := l.operand(f, in.Args[0]), l.operand(f, in.Args[1])
	p, ok := comparisons[in.Pred]
	switch {
	case !ok:
		return unknown("it is not followed")
	case a.kind == once || b.kind == once:
		return onceCompared(in.Pred, a, b)
	case a.null && b.kind == pointer && b.o == nil, b.null && a.kind == pointer && a.o == nil:
		return unknown("it is the null pointer on some ways")
	case a.kind == pointer && a.o.isRows() && b.kind == pointer && b.o == nil:
		return l.isNull(in.Pred, a)
	case b.kind == pointer && b.o.isRows() && a.kind == pointer && a.o == nil:
		return l.isNull(in.Pred, b)
	case a.kind == pointer && b.kind == pointer && a.o != b.o:
		return apart(in.Pred)
	case a.kind == function && b.kind == pointer && b.o == nil, b.kind == function && a.kind == pointer && a.o == nil:
		return apart(in.Pred)
	case a.kind != b.kind || a.kind != integer && a.kind != pointer:
		if a.kind == data {
			return l.lost(a)
		}
		return l.lost(b)
	}
	if in.Pred[0] == 'u' && (l.interval(a.e).Hi < 0 || l.interval(b.e).Hi < 0) {
		x, ok1 := a.isConstant()
		y, ok2 := b.isConstant()
		if ok1 && ok2 {
			return constant(expr.Truth(unsignedCompare(in.Pred, uint64(x), uint64(y))))
		}
		if ok2 && a.kind == integer && y == -1 && in.Pred == "ugt" {
			return constant(0)
		}
		if ok2 && y < 0 && l.interval(a.e).Lo >= 0 { // a large number that nothing reaches
			return constant(expr.Truth(in.Pred == "ult" || in.Pred == "ule"))
		}
	}
	if p.swap {
		a, b = b, a
	}
	x, y := value.Normal(a.e), value.Normal(b.e)
	less := expr.Binary(p.op, x, y)
	if in.Pred[0] == 'u' && a.kind == integer {
		less = l.unsignedLess(less, x, y)
	}
	return val{kind: integer, e: less}
}

// unsignedLess is less, which compares x with y, for unsigned numbers, among which those below zero are the largest. Compilers write lo <= i && i < hi so,
// as i - lo < hi - lo. What may be anything is taken not to be negative.
func (l *lowerer) unsignedLess(less, x, y *expr.Expr) *expr.Expr {
	below := func(e *expr.Expr) bool { r := l.interval(e); return r.Lo < 0 && r.Lo > -endless }
	natural := func(e *expr.Expr) *expr.Expr { return expr.Binary(expr.OpLe, expr.Int(0), e) }
	switch {
	case below(x) && !below(y):
		return expr.Binary(expr.OpAnd, natural(x), less)
	case !below(x) && below(y):
		return expr.Binary(expr.OpOr, expr.Unary(expr.OpNot, natural(y)), less)
	case below(x) && l.interval(y).Hi < 0:
		return expr.Binary(expr.OpOr, natural(x), less)
	case below(x):
		return expr.Conditional(natural(x), expr.Binary(expr.OpOr, expr.Unary(expr.OpNot, natural(y)), less), expr.Binary(expr.OpAnd, expr.Unary(expr.OpNot, natural(y)), less))
	}
	return less
}

func unsignedCompare(pred string, a, b uint64) bool {
	switch pred {
	case "ult":
		return a < b
	case "ule":
		return a <= b
	case "ugt":
		return a > b
	}
	return a >= b
}

// apart is the comparison of addresses of two objects, which are taken to be distinct.
func apart(pred string) val {
	switch pred {
	case "eq":
		return constant(0)
	case "ne":
		return constant(1)
	}
	return unknown("it compares addresses of two objects")
}

// extracted is a part of a value.
func extracted(v val, index []int) val {
	for _, i := range index {
		if v.kind != aggregate || i < 0 || i >= len(v.parts) {
			return unknown("it depends on data")
		}
		v = v.parts[i]
	}
	return v
}

// inserted is a value with one of its parts replaced.
func (l *lowerer) inserted(f *frame, in *text.Inst) val {
	v := l.operand(f, in.Args[0])
	if len(in.Index) != 1 || len(in.Args) < 2 || in.Type == nil || in.Type.Kind != text.Struct || in.Index[0] < 0 || in.Index[0] >= len(in.Type.Fields) {
		return unknown("it is not followed")
	}
	parts := make([]val, len(in.Type.Fields))
	for i := range parts {
		parts[i] = unknown(undefined)
		if v.kind == aggregate && i < len(v.parts) {
			parts[i] = v.parts[i]
		}
	}
	parts[in.Index[0]] = l.operand(f, in.Args[1])
	return val{kind: aggregate, parts: parts}
}
