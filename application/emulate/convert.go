package emulate

import (
	"math"
	"strings"

	"foresee/application/assembly"
)

// number is a type that conversions go from or to.
type number struct {
	bytes    int
	floating bool
	signless bool
}

// numbers are the letters of conversions: si is an integer of the size that a register has.
var numbers = map[string]number{
	"ss": {4, true, false}, "sd": {8, true, false}, "ps": {4, true, false}, "pd": {8, true, false},
	"dq": {4, false, false}, "udq": {4, false, true}, "qq": {8, false, false}, "uqq": {8, false, true}, "si": {0, false, false}, "usi": {0, false, true},
}

// converts finds a conversion: cvtsi2sd, cvttpd2dq, …
func (o *op) converts(name string) bool {
	rest, ok := strings.CutPrefix(name, "cvt")
	if !ok {
		return false
	}
	rest, cut := strings.CutPrefix(rest, "t")
	a, b, ok := strings.Cut(rest, "2")
	if !ok {
		return false
	}
	b = strings.TrimRight(b, "xyz") // AT&T's size of an operand in memory
	from, okA := numbers[a]
	to, okB := numbers[b]
	if !okA || !okB {
		return false
	}
	single := strings.HasPrefix(a, "s") || a == "usi" || strings.HasPrefix(b, "s") || b == "usi"
	source := &o.args[len(o.args)-1]
	if from.bytes == 0 {
		from.bytes = max(int(source.bytes), 4)
		source.bytes = uint8(from.bytes)
	}
	if to.bytes == 0 {
		to.bytes = int(o.args[0].bytes)
	}
	convert := func(v uint64) uint64 { return converted(v, from, to, cut) }
	o.do = func(t *thread, o *op) { t.convertAll(o, from, to, convert) }
	if single {
		o.do = func(t *thread, o *op) { t.convertOne(o, from, to, convert) }
	}
	return true
}

// converted converts one element.
func converted(v uint64, from, to number, cut bool) uint64 {
	var f float64
	switch {
	case from.floating && from.bytes == 8:
		f = f64(v)
	case from.floating:
		f = float64(f32(v))
	case from.signless:
		if to.bytes == 4 && to.floating {
			return b32(float32(v & masks[from.bytes]))
		}
		f = float64(v & masks[from.bytes])
	default:
		n := signed(v, uint8(from.bytes))
		if to.bytes == 4 && to.floating {
			return b32(float32(n))
		}
		f = float64(n)
	}
	if to.floating {
		if to.bytes == 8 {
			return b64(f)
		}
		return b32(float32(f))
	}
	if !cut {
		f = math.RoundToEven(f)
	}
	f = math.Trunc(f)
	if to.signless {
		if !(f >= 0 && f < math.Ldexp(1, 8*to.bytes)) {
			return masks[to.bytes]
		}
		return uint64(f)
	}
	limit := math.Ldexp(1, 8*to.bytes-1)
	if !(f >= -limit && f < limit) {
		return uint64(1) << (8*to.bytes - 1) // what the instruction gives for what does not fit
	}
	return uint64(int64(f)) & masks[to.bytes]
}

// convertOne converts a scalar: to an integer register, or into the lowest element.
func (t *thread) convertOne(o *op, from, to number, convert func(uint64) uint64) {
	last := &o.args[len(o.args)-1]
	v := t.read(last, from.bytes)
	e := convert(v[0] & masks[from.bytes])
	if o.args[0].register.Integer() {
		t.set(&o.args[0], e)
		return
	}
	x := &o.args[0]
	if len(o.args) == 3 {
		x = &o.args[1]
	}
	a := t.read(x, 16)
	a.setElement(0, to.bytes, e)
	t.writeScalar(o, &a, to.bytes)
}

// convertAll converts all elements: as many as the wider of the two has.
func (t *thread) convertAll(o *op, from, to number, convert func(uint64) uint64) {
	source := &o.args[len(o.args)-1]
	w := o.width()
	count := w / to.bytes
	if from.bytes > to.bytes {
		count = w / from.bytes
		if source.kind == assembly.InRegister {
			count = int(source.bytes) / from.bytes
		} else if source.bytes > 0 && source.spread == 0 {
			count = int(source.bytes) / from.bytes
		}
	}
	a := t.read(source, count*from.bytes)
	var v vector
	for i := range count {
		v.setElement(i, to.bytes, convert(a.element(i, from.bytes)))
	}
	t.write(o, &v, max(w, 16), to.bytes)
}

// compares finds a comparison of floating-point numbers by its predicate.
func (o *op) compares() bool {
	o.do = comparedFloats
	return o.predicate([]string{"eq", "lt", "le", "unord", "neq", "nlt", "nle", "ord", "ge", "gt", "nge", "ngt", "false", "true"},
		map[string]string{"eq_uq": "eq", "neq_oq": "neq"})
}

func comparedFloats(t *thread, o *op) {
	x, y := o.sources()
	n := o.lanes.bytes
	w := int(x.bytes)
	if o.lanes.scalar {
		w = 16
	}
	a := t.read(x, w)
	width := w
	if o.lanes.scalar {
		width = n
	}
	b := t.read(y, width)
	holds := func(i int) bool {
		p, q := f64(a.element(i, n)), f64(b.element(i, n))
		if n == 4 {
			p, q = float64(f32(a.element(i, n))), float64(f32(b.element(i, n)))
		}
		un := p != p || q != q
		return [...]bool{p == q, p < q, p <= q, un, p != q, !(p < q), !(p <= q), !un, p >= q, p > q, !(p >= q), !(p > q), false, true}[o.number]
	}
	if !o.lanes.scalar {
		t.compared(o, w, n, holds)
		return
	}
	if o.args[0].register.IsMask() {
		t.compared(o, n, n, holds)
		return
	}
	e := uint64(0)
	if holds(0) {
		e = ^e
	}
	a.setElement(0, n, e)
	t.writeScalar(o, &a, n)
}
