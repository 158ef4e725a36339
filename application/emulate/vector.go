package emulate

import (
	"math"
	"strings"

	"foresee/application/assembly"
)

// lane says how an instruction works on vectors: element by element of so many bytes, on the lowest alone where it is one of scalars.
type lane struct {
	bytes  int
	scalar bool
	one    func(a uint64) uint64
	two    func(a, b uint64) uint64
	three  func(a, b, c uint64) uint64
}

// element is one element of a vector.
func (v *vector) element(i, bytes int) uint64 {
	switch bytes {
	case 8:
		return v[i]
	case 4:
		return v[i>>1] >> (32 * uint(i&1)) & masks[4]
	case 2:
		return v[i>>2] >> (16 * uint(i&3)) & masks[2]
	}
	return v[i>>3] >> (8 * uint(i&7)) & masks[1]
}

// setElement writes one element of a vector.
func (v *vector) setElement(i, bytes int, e uint64) {
	if bytes == 8 {
		v[i] = e
		return
	}
	per := 8 / bytes
	shift := uint(i%per) * 8 * uint(bytes)
	m := masks[bytes] << shift
	v[i/per] = v[i/per]&^m | e<<shift&m
}

// read is an operand as a vector of so many bytes.
func (t *thread) read(a *arg, bytes int) (v vector) {
	if a.kind == assembly.InRegister {
		if a.register.Vector() {
			return t.v[a.register-assembly.V0]
		}
		if a.register.IsMask() {
			v[0] = t.k[a.register-assembly.K0]
			return v
		}
		v[0] = t.get(a)
		return v
	}
	at := t.address(a)
	if a.spread == 0 {
		return t.memory.loadVector(at, bytes)
	}
	e := t.memory.load(at, int(a.bytes))
	for i := range int(a.spread) {
		v.setElement(i, int(a.bytes), e)
	}
	return v
}

// width is how many bytes of its destination an instruction writes, or of its source, where the destination is memory.
func (o *op) width() int { return int(o.args[0].bytes) }

// write writes a result of so many bytes with elements of so many; a scalar is only the lowest element of it.
func (t *thread) write(o *op, v *vector, bytes, element int) {
	a := &o.args[0]
	if a.mask != assembly.NoRegister {
		v = t.masked(o, v, bytes, element)
	}
	if a.kind == assembly.InMemory {
		t.memory.storeVector(t.address(a), bytes, v)
		return
	}
	to := &t.v[a.register-assembly.V0]
	words := (bytes + 7) / 8
	if o.vex {
		clear(to[words:])
	}
	copy(to[:words], v[:words])
}

// masked takes the elements that a mask leaves out from the destination, or makes them zero.
func (t *thread) masked(o *op, v *vector, bytes, element int) *vector {
	a := &o.args[0]
	was := vector{}
	if !a.zeroing {
		was = t.read(a, bytes)
	}
	m := t.k[a.mask-assembly.K0]
	for i := range bytes / element {
		if m>>i&1 == 0 {
			v.setElement(i, element, was.element(i, element))
		}
	}
	return v
}

// sources are the two operands of an instruction: in the old form the first is the destination too.
func (o *op) sources() (a, b *arg) {
	n := len(o.args)
	if n > 0 && o.args[n-1].kind == assembly.Immediate {
		n--
	}
	if n == 2 {
		return &o.args[0], &o.args[1]
	}
	return &o.args[1], &o.args[2]
}

// pairwise calculates each element from two.
func pairwise(t *thread, o *op) {
	x, y := o.sources()
	l := &o.lanes
	if l.scalar {
		a := t.read(x, 16)
		b := t.read(y, l.bytes)
		if l.bytes == 8 {
			a[0] = l.two(a[0], b[0])
		} else {
			a.setElement(0, 4, l.two(a[0]&masks[4], b[0]&masks[4]))
		}
		t.writeScalar(o, &a, l.bytes)
		return
	}
	w := o.width()
	a, b := t.read(x, w), t.read(y, w)
	for i := range w / l.bytes {
		a.setElement(i, l.bytes, l.two(a.element(i, l.bytes), b.element(i, l.bytes)))
	}
	t.write(o, &a, w, l.bytes)
}

// writeScalar writes the 16 bytes of a result of which the lowest element is new.
func (t *thread) writeScalar(o *op, v *vector, element int) {
	a := &o.args[0]
	if a.mask != assembly.NoRegister && t.k[a.mask-assembly.K0]&1 == 0 {
		was := uint64(0)
		if !a.zeroing {
			was = t.v[a.register-assembly.V0].element(0, element)
		}
		v.setElement(0, element, was)
	}
	to := &t.v[a.register-assembly.V0]
	if o.vex {
		clear(to[2:])
	}
	to[0], to[1] = v[0], v[1]
}

// elementwise calculates each element from one; scalars take the rest from the other operand, or leave it.
func elementwise(t *thread, o *op) {
	l := &o.lanes
	last := &o.args[len(o.args)-1]
	if last.kind == assembly.Immediate {
		last = &o.args[len(o.args)-2]
	}
	if l.scalar {
		x := &o.args[0]
		if o.vex {
			x = &o.args[1]
		}
		a, b := t.read(x, 16), t.read(last, l.bytes)
		a.setElement(0, l.bytes, l.one(b.element(0, l.bytes)))
		t.writeScalar(o, &a, l.bytes)
		return
	}
	w := o.width()
	a := t.read(last, w)
	for i := range w / l.bytes {
		a.setElement(i, l.bytes, l.one(a.element(i, l.bytes)))
	}
	t.write(o, &a, w, l.bytes)
}

// fused multiplies and adds: the numbers say which operands are multiplied.
func fused(t *thread, o *op) {
	l, w := &o.lanes, o.width()
	if l.scalar {
		w = 16
	}
	width := w
	if l.scalar {
		width = l.bytes
	}
	a, b, c := t.read(&o.args[0], w), t.read(&o.args[1], w), t.read(&o.args[2], width)
	n := w / l.bytes
	if l.scalar {
		n = 1
	}
	for i := range n {
		x, y, z := ordered(o.number, a.element(i, l.bytes), b.element(i, l.bytes), c.element(i, l.bytes))
		a.setElement(i, l.bytes, l.three(x, y, z))
	}
	if l.scalar {
		t.writeScalar(o, &a, l.bytes)
		return
	}
	t.write(o, &a, w, l.bytes)
}

// ordered are the factors and what is added of three operands, as the number in a mnemonic tells.
func ordered(number int, a, b, c uint64) (x, y, z uint64) {
	switch number {
	case 132:
		return a, c, b
	case 213:
		return b, a, c
	}
	return b, c, a
}

// fusedAlternately multiplies and adds in every other element and subtracts in those between: vfmaddsub adds in those with odd numbers.
func (o *op) fusedAlternately(stem string, bytes int) bool {
	for begin, odd := range map[string]bool{"fmaddsub": false, "fmsubadd": true} {
		order, ok := strings.CutPrefix(stem, begin)
		if !ok {
			continue
		}
		o.number = map[string]int{"132": 132, "213": 213, "231": 231}[order]
		add, subtract := multiplyAdd(bytes, false, false), multiplyAdd(bytes, false, true)
		o.do = func(t *thread, o *op) {
			w := o.width()
			a, b, c := t.read(&o.args[0], w), t.read(&o.args[1], w), t.read(&o.args[2], w)
			for i := range w / bytes {
				f := add
				if (i%2 == 1) == odd {
					f = subtract
				}
				x, y, z := ordered(o.number, a.element(i, bytes), b.element(i, bytes), c.element(i, bytes))
				a.setElement(i, bytes, f(x, y, z))
			}
			t.write(o, &a, w, bytes)
		}
		return o.number != 0
	}
	return false
}

// bitwise combines whole vectors, whatever their elements.
func bitwise(t *thread, o *op) {
	x, y := o.sources()
	w := o.width()
	a, b := t.read(x, w), t.read(y, w)
	for i := range w / 8 {
		a[i] = o.lanes.two(a[i], b[i])
	}
	t.write(o, &a, w, o.lanes.bytes)
}

func f64(v uint64) float64 { return math.Float64frombits(v) }
func b64(f float64) uint64 { return math.Float64bits(f) }
func f32(v uint64) float32 { return math.Float32frombits(uint32(v)) }
func b32(f float32) uint64 { return uint64(math.Float32bits(f)) }
func s32(v uint64) int64   { return int64(int32(v)) }
func on64(f func(a, b float64) float64) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 { return b64(f(f64(a), f64(b))) }
}

func on32(f func(a, b float32) float32) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 { return b32(f(f32(a), f32(b))) }
}

// smaller and larger give the second where the two are equal or one is no number, as the instructions do.
func smaller(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}

func larger(a, b float64) float64 {
	if a > b {
		return a
	}
	return b
}

// floats are the calculations with two numbers.
var floats = map[string][2]func(a, b uint64) uint64{
	"add": {on64(func(a, b float64) float64 { return a + b }), on32(func(a, b float32) float32 { return a + b })},
	"sub": {on64(func(a, b float64) float64 { return a - b }), on32(func(a, b float32) float32 { return a - b })},
	"mul": {on64(func(a, b float64) float64 { return a * b }), on32(func(a, b float32) float32 { return a * b })},
	"div": {on64(func(a, b float64) float64 { return a / b }), on32(func(a, b float32) float32 { return a / b })},
	"min": {on64(smaller), on32(func(a, b float32) float32 { return float32(smaller(float64(a), float64(b))) })},
	"max": {on64(larger), on32(func(a, b float32) float32 { return float32(larger(float64(a), float64(b))) })},
}

// precision is the place in floats of numbers of so many bytes.
func precision(bytes int) int {
	if bytes == 4 {
		return 1
	}
	return 0
}

// bitOps are the calculations on bits.
var bitOps = map[string]func(a, b uint64) uint64{
	"and": func(a, b uint64) uint64 { return a & b }, "or": func(a, b uint64) uint64 { return a | b },
	"xor": func(a, b uint64) uint64 { return a ^ b }, "andn": func(a, b uint64) uint64 { return ^a & b },
}

// multiplyAdd is ±x·y ± z, rounded once.
func multiplyAdd(bytes int, negative, minus bool) func(x, y, z uint64) uint64 {
	signs := func(x, z float64) (float64, float64) {
		if negative {
			x = -x
		}
		if minus {
			z = -z
		}
		return x, z
	}
	if bytes == 8 {
		return func(x, y, z uint64) uint64 {
			a, c := signs(f64(x), f64(z))
			return b64(math.FMA(a, f64(y), c))
		}
	}
	return func(x, y, z uint64) uint64 {
		a, c := signs(float64(f32(x)), float64(f32(z)))
		// A product of two such numbers is exact in a double; the sum is rounded twice, which differs from once in one of 10^8.
		return b32(float32(a*float64(f32(y)) + c))
	}
}

// floatEnds are the ends of mnemonics of floating point: the bytes of an element, and whether there is one alone.
var floatEnds = map[string]lane{"pd": {bytes: 8}, "ps": {bytes: 4}, "sd": {bytes: 8, scalar: true}, "ss": {bytes: 4, scalar: true}}

// integerEnds are the ends of mnemonics of integers in vectors.
var integerEnds = map[byte]int{'b': 1, 'w': 2, 'd': 4, 'q': 8}

// find looks up how an instruction is carried out.
func (o *op) find(x *assembly.Instruction) error {
	name := x.Mnemonic
	if f, ok := integerOps[name]; ok && !o.ofVectors() {
		o.do = f
		return nil
	}
	if f, ok := vectorOps[name]; ok {
		o.do = f
		o.lanes.bytes = elementOf(name)
		return nil
	}
	for _, find := range []func(string) bool{o.float, o.integers, o.converts} {
		if o.lanes = (lane{}); find(name) {
			return nil
		}
	}
	return fault(x, "an instruction that is not known")
}

// ofVectors says whether a name that integers have as well, such as movs or not, is meant for vectors.
func (o *op) ofVectors() bool {
	for i := range o.args {
		if a := &o.args[i]; a.kind == assembly.InRegister && !a.register.Integer() {
			return true
		}
	}
	return false
}

// elementOf is how many bytes an element has by the end of the mnemonic.
func elementOf(name string) int {
	if l, ok := floatEnds[name[max(0, len(name)-2):]]; ok {
		return l.bytes
	}
	if n, ok := map[string]int{"8": 1, "16": 2, "32": 4, "64": 8}[strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz")]; ok {
		return n
	}
	if n := integerEnds[name[len(name)-1]]; n > 0 && name[0] == 'p' {
		return n
	}
	return 8
}

// float finds a calculation with floating-point numbers.
func (o *op) float(name string) bool {
	if len(name) < 4 {
		return false
	}
	end, ok := floatEnds[name[len(name)-2:]]
	if !ok {
		return false
	}
	o.lanes = end
	which := precision(end.bytes)
	stem := name[:len(name)-2]
	if f, ok := floats[stem]; ok {
		o.lanes.two, o.do = f[which], pairwise
		return true
	}
	if f, ok := bitOps[stem]; ok && !end.scalar {
		o.lanes.two, o.do = f, bitwise
		return true
	}
	if o.fusedAlternately(stem, end.bytes) {
		return true
	}
	for _, form := range []struct {
		begin           string
		negative, minus bool
	}{{"fmadd", false, false}, {"fmsub", false, true}, {"fnmadd", true, false}, {"fnmsub", true, true}} {
		if order, ok := strings.CutPrefix(stem, form.begin); ok {
			o.number = map[string]int{"132": 132, "213": 213, "231": 231}[order]
			o.lanes.three, o.do = multiplyAdd(end.bytes, form.negative, form.minus), fused
			return o.number != 0
		}
	}
	return o.floatAlone(stem)
}

// floatAlone finds a calculation with one number.
func (o *op) floatAlone(stem string) bool {
	of := func(f func(float64) float64) bool {
		o.do = elementwise
		o.lanes.one = func(a uint64) uint64 { return b64(f(f64(a))) }
		if o.lanes.bytes == 4 {
			o.lanes.one = func(a uint64) uint64 { return b32(float32(f(float64(f32(a))))) }
		}
		return true
	}
	switch stem {
	case "sqrt":
		return of(math.Sqrt)
	case "rcp", "rcp14", "rcp28":
		return of(func(x float64) float64 { return 1 / x })
	case "rsqrt", "rsqrt14", "rsqrt28":
		return of(func(x float64) float64 { return 1 / math.Sqrt(x) })
	case "round", "rndscale":
		return of([]func(float64) float64{math.RoundToEven, math.Floor, math.Ceil, math.Trunc}[o.args[len(o.args)-1].value&3])
	case "cmp":
		return o.compares()
	}
	return false
}
