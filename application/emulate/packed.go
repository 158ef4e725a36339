package emulate

import (
	"math/bits"
	"strings"

	"foresee/application/assembly"
)

// integers says how a calculation with integers in vectors is carried out; false where it is none.
func (o *op) integers(name string) bool {
	if name[0] != 'p' || len(name) < 3 {
		return false
	}
	for stem, f := range bitOps {
		if rest, ok := strings.CutPrefix(name[1:], stem); ok && (rest == "" || rest == "d" || rest == "q") {
			o.lanes.bytes = 8
			if rest == "d" {
				o.lanes.bytes = 4
			}
			o.lanes.two, o.do = f, bitwise
			return true
		}
	}
	n := integerEnds[name[len(name)-1]]
	if n == 0 {
		return false
	}
	o.lanes.bytes = n
	if f := pairOf(name[1:len(name)-1], n); f != nil {
		o.lanes.two, o.do = f, pairwise
		return true
	}
	if f := shiftOf(name[1:len(name)-1], n); f != nil {
		o.lanes.two, o.do = f, shifted
		return true
	}
	if f := counted(name[1:len(name)-1], n); f != nil {
		o.lanes.one, o.do = f, elementwise
		return true
	}
	switch name[1 : len(name)-1] {
	case "abs":
		o.do = elementwise
		o.lanes.one = func(a uint64) uint64 {
			if s := signed(a, uint8(n)); s < 0 {
				return uint64(-s)
			}
			return a
		}
		return true
	case "cmpeq":
		o.number, o.do = 0, comparedIntegers
		return true
	case "cmpgt":
		o.number, o.do = 6, comparedIntegers
		return true
	case "cmp", "cmpu":
		o.do = comparedIntegers
		return o.predicate([]string{"eq", "lt", "le", "false", "neq", "nlt", "nle", "true"}, map[string]string{"gt": "nle", "ge": "nlt"})
	}
	return o.resized(name)
}

// predicate finds the number of the comparison that an instruction asks for.
func (o *op) predicate(names []string, same map[string]string) bool {
	c := o.at.Condition
	if other, ok := same[c]; ok {
		c = other
	}
	for i, name := range names {
		if name == c {
			o.number = i
			return true
		}
	}
	return false
}

// pairOf is a calculation with two integers of n bytes; nil where there is none of this name.
func pairOf(stem string, n int) func(a, b uint64) uint64 {
	s := func(v uint64) int64 { return signed(v, uint8(n)) }
	most, least := int64(masks[n]>>1), -int64(masks[n]>>1)-1
	switch stem {
	case "add":
		return func(a, b uint64) uint64 { return a + b }
	case "sub":
		return func(a, b uint64) uint64 { return a - b }
	case "adds":
		return func(a, b uint64) uint64 { return uint64(min(max(s(a)+s(b), least), most)) }
	case "subs":
		return func(a, b uint64) uint64 { return uint64(min(max(s(a)-s(b), least), most)) }
	case "addus":
		return func(a, b uint64) uint64 { return min(a+b, masks[n]) }
	case "subus":
		return func(a, b uint64) uint64 { return a - min(a, b) }
	case "mull":
		return func(a, b uint64) uint64 { return a * b }
	case "mulh":
		return func(a, b uint64) uint64 { return uint64(s(a) * s(b) >> (8 * n)) }
	case "mulhu":
		return func(a, b uint64) uint64 { return a * b >> (8 * n) }
	case "mulud": // pmuludq: the lower halves
		return func(a, b uint64) uint64 { return a & masks[4] * (b & masks[4]) }
	case "muld": // pmuldq
		return func(a, b uint64) uint64 { return uint64(s32(a) * s32(b)) }
	case "mins":
		return func(a, b uint64) uint64 { return uint64(min(s(a), s(b))) }
	case "maxs":
		return func(a, b uint64) uint64 { return uint64(max(s(a), s(b))) }
	case "minu":
		return func(a, b uint64) uint64 { return min(a, b) }
	case "maxu":
		return func(a, b uint64) uint64 { return max(a, b) }
	case "avg":
		return func(a, b uint64) uint64 { return (a + b + 1) / 2 }
	case "maddw": // pmaddwd
		return func(a, b uint64) uint64 {
			low := signed(a&masks[2], 2) * signed(b&masks[2], 2)
			return uint64(low + signed(a>>16, 2)*signed(b>>16, 2))
		}
	case "mulhrs": // pmulhrsw
		return func(a, b uint64) uint64 { return uint64((s(a)*s(b)>>14 + 1) >> 1) }
	case "sign":
		return func(a, b uint64) uint64 { return uint64(s(a) * min(max(s(b), -1), 1)) }
	case "rolv":
		return func(a, b uint64) uint64 { return rotated(a, uint(b), uint8(n)) }
	case "rorv":
		return func(a, b uint64) uint64 { return rotated(a, 8*uint(n)-uint(b)%(8*uint(n)), uint8(n)) }
	case "sllv":
		return func(a, b uint64) uint64 { return left(a, b, n) }
	case "srlv":
		return func(a, b uint64) uint64 { return right(a, b, n) }
	case "srav":
		return func(a, b uint64) uint64 { return rightSigned(a, b, n) }
	}
	return nil
}

func left(a, by uint64, n int) uint64 {
	if by >= 8*uint64(n) {
		return 0
	}
	return a << by
}

func right(a, by uint64, n int) uint64 {
	if by >= 8*uint64(n) {
		return 0
	}
	return a >> by
}

func rightSigned(a, by uint64, n int) uint64 {
	return uint64(signed(a, uint8(n)) >> min(by, 8*uint64(n)-1))
}

// counted finds calculations that count the bits of each integer of n bytes; nil where there is none of this name.
func counted(stem string, n int) func(a uint64) uint64 {
	switch stem {
	case "opcnt": // vpopcntd: the v is off
		return func(a uint64) uint64 { return uint64(bits.OnesCount64(a)) }
	case "lzcnt":
		return func(a uint64) uint64 { return uint64(bits.LeadingZeros64(a) - (64 - 8*n)) }
	}
	return nil
}

// shiftOf is a shift of all elements by one count; nil where there is none of this name.
func shiftOf(stem string, n int) func(a, by uint64) uint64 {
	switch stem {
	case "sll":
		return func(a, by uint64) uint64 { return left(a, by, n) }
	case "srl":
		return func(a, by uint64) uint64 { return right(a, by, n) }
	case "sra":
		return func(a, by uint64) uint64 { return rightSigned(a, by, n) }
	case "rol":
		return func(a, by uint64) uint64 { return rotated(a, uint(by), uint8(n)) }
	case "ror":
		return func(a, by uint64) uint64 { return rotated(a, 8*uint(n)-uint(by)%(8*uint(n)), uint8(n)) }
	}
	return nil
}

// shifted shifts all elements by one count: the last operand, a number or the lowest eight bytes of a register.
func shifted(t *thread, o *op) {
	w, n := o.width(), o.lanes.bytes
	from, last := &o.args[0], &o.args[len(o.args)-1]
	if len(o.args) == 3 {
		from = &o.args[1]
	}
	a := t.read(from, w)
	by := uint64(last.value)
	if last.kind != assembly.Immediate {
		v := t.read(last, 16)
		by = v[0]
	}
	for i := range w / n {
		a.setElement(i, n, o.lanes.two(a.element(i, n), by))
	}
	t.write(o, &a, w, n)
}

// resized finds an instruction that makes elements wider or narrower: pmovzxwd, pmovqd, pack.
func (o *op) resized(name string) bool {
	for _, begin := range []string{"pmovzx", "pmovsx"} {
		if rest, ok := strings.CutPrefix(name, begin); ok && len(rest) == 2 {
			from, to := integerEnds[rest[0]], integerEnds[rest[1]]
			o.lanes.bytes, o.number = to, from
			keep := begin == "pmovzx"
			o.lanes.one = func(a uint64) uint64 {
				if keep {
					return a
				}
				return uint64(signed(a, uint8(from)))
			}
			o.do = widened
			return from > 0 && to > from
		}
	}
	if o.narrows(name) {
		return true
	}
	if rest, ok := strings.CutPrefix(name, "pack"); ok && len(rest) == 4 {
		o.number, o.lanes.bytes = integerEnds[rest[2]], integerEnds[rest[3]]
		top, bottom := int64(masks[o.lanes.bytes]>>1), -int64(masks[o.lanes.bytes]>>1)-1
		if strings.HasPrefix(rest, "us") {
			top, bottom = int64(masks[o.lanes.bytes]), 0
		}
		from := uint8(o.number)
		o.lanes.one = func(a uint64) uint64 { return uint64(min(max(signed(a, from), bottom), top)) }
		o.do = packed
		return true
	}
	return false
}

// narrows finds an instruction that makes elements narrower: the lower part stays, or what does not fit becomes the nearest that does.
func (o *op) narrows(name string) bool {
	rest, ok := strings.CutPrefix(name, "pmov")
	if !ok || len(rest) < 2 {
		return false
	}
	how, ends := rest[:len(rest)-2], rest[len(rest)-2:]
	from, to := integerEnds[ends[0]], integerEnds[ends[1]]
	o.number, o.lanes.bytes, o.do = from, to, narrowed
	switch how {
	case "":
		o.lanes.one = func(a uint64) uint64 { return a }
	case "s":
		most, least := int64(masks[to]>>1), -int64(masks[to]>>1)-1
		o.lanes.one = func(a uint64) uint64 { return uint64(min(max(signed(a, uint8(from)), least), most)) }
	case "us":
		o.lanes.one = func(a uint64) uint64 { return min(a, masks[to]) }
	default:
		return false
	}
	return from > to && to > 0
}

// widened makes each element wider.
func widened(t *thread, o *op) {
	w, to, from := o.width(), o.lanes.bytes, o.number
	a := t.read(&o.args[1], w*from/to)
	var v vector
	for i := range w / to {
		v.setElement(i, to, o.lanes.one(a.element(i, from)))
	}
	t.write(o, &v, w, to)
}

// narrowed makes each element narrower.
func narrowed(t *thread, o *op) {
	from, to := o.number, o.lanes.bytes
	w := int(o.args[1].bytes)
	a := t.read(&o.args[1], w)
	var v vector
	for i := range w / from {
		v.setElement(i, to, o.lanes.one(a.element(i, from)))
	}
	bytes := w / from * to
	if o.args[0].kind != assembly.InMemory {
		bytes = max(bytes, 16)
	}
	t.write(o, &v, bytes, to)
}

// packed makes the elements of two vectors narrower, 16 bytes by 16 bytes; what does not fit becomes the nearest that does.
func packed(t *thread, o *op) {
	x, y := o.sources()
	w, from, to := o.width(), o.number, o.lanes.bytes
	a, b := t.read(x, w), t.read(y, w)
	var v vector
	half := 8 / to
	for part := range w / 16 {
		for i := range half {
			at := part * 16 / from
			v.setElement(part*16/to+i, to, o.lanes.one(a.element(at+i, from)))
			v.setElement(part*16/to+half+i, to, o.lanes.one(b.element(at+i, from)))
		}
	}
	t.write(o, &v, w, to)
}

// comparedIntegers compares element by element, into a mask or into elements of ones.
func comparedIntegers(t *thread, o *op) {
	x, y := o.sources()
	n := o.lanes.bytes
	w := max(int(x.bytes), int(o.args[0].bytes))
	if o.args[0].register.IsMask() {
		w = int(x.bytes)
	}
	a, b := t.read(x, w), t.read(y, w)
	without := strings.Contains(o.at.Mnemonic, "cmpu")
	t.compared(o, w, n, func(i int) bool {
		p, q := a.element(i, n), b.element(i, n)
		less, same := signed(p, uint8(n)) < signed(q, uint8(n)), p == q
		if without {
			less = p < q
		}
		return [8]bool{same, less, less || same, false, !same, !less, !less && !same, true}[o.number]
	})
}

// compared writes what comparisons give.
func (t *thread) compared(o *op, w, n int, holds func(i int) bool) {
	a := &o.args[0]
	if a.register.IsMask() {
		m := uint64(0)
		for i := range w / n {
			if holds(i) {
				m |= 1 << i
			}
		}
		if a.mask != 0 {
			m &= t.k[a.mask-assembly.K0]
		}
		t.k[a.register-assembly.K0] = m
		return
	}
	var v vector
	for i := range w / n {
		if holds(i) {
			v.setElement(i, n, ^uint64(0))
		}
	}
	t.write(o, &v, w, n)
}
