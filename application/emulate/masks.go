package emulate

import "foresee/application/assembly"

func blendConstant(t *thread, o *op) {
	x, y := o.sources()
	w := o.width()
	n := map[string]int{"blendps": 4, "blendpd": 8, "pblendw": 2, "pblendd": 4}[o.at.Mnemonic]
	a, b := t.read(x, w), t.read(y, w)
	for i := range w / n {
		if o.imm()>>(i%8)&1 != 0 {
			a.setElement(i, n, b.element(i, n))
		}
	}
	t.write(o, &a, w, n)
}

// blendSigns chooses by the sign of the elements of a third operand, which the old form has in the first register.
func blendSigns(t *thread, o *op) {
	w := o.width()
	n := map[string]int{"blendvps": 4, "blendvpd": 8, "pblendvb": 1}[o.at.Mnemonic]
	x, y := &o.args[0], &o.args[1]
	by := t.v[0]
	if len(o.args) == 4 {
		x, y, by = &o.args[1], &o.args[2], t.read(&o.args[3], w)
	} else if len(o.args) == 3 && !o.vex {
		by = t.read(&o.args[2], w)
	}
	a, b := t.read(x, w), t.read(y, w)
	for i := range w / n {
		if by.element(i, n)>>(8*n-1) != 0 {
			a.setElement(i, n, b.element(i, n))
		}
	}
	t.write(o, &a, w, n)
}

// blendMask takes the second where the mask is set, else the first or zero.
func blendMask(t *thread, o *op) {
	w, n := o.width(), elementOf(o.at.Mnemonic)
	a, b := t.read(&o.args[1], w), t.read(&o.args[2], w)
	m := ^uint64(0)
	to := o.args[0]
	if to.mask != 0 {
		m = t.k[to.mask-assembly.K0]
	}
	for i := range w / n {
		switch {
		case m>>i&1 != 0:
			a.setElement(i, n, b.element(i, n))
		case to.zeroing:
			a.setElement(i, n, 0)
		}
	}
	unmasked := *o
	to.mask = 0
	unmasked.args = []arg{to}
	t.write(&unmasked, &a, w, n)
}

// ternary carries out any function of three bits: bit k of the constant is its result where the first, second and third are bits 2, 1 and 0 of k.
func ternary(t *thread, o *op) {
	w, n := o.width(), elementOf(o.at.Mnemonic)
	a, b, c := t.read(&o.args[0], w), t.read(&o.args[1], w), t.read(&o.args[2], w)
	var v vector
	for k := range 8 {
		if o.imm()>>k&1 == 0 {
			continue
		}
		for i := range w / 8 {
			x, y, z := a[i], b[i], c[i]
			if k&4 == 0 {
				x = ^x
			}
			if k&2 == 0 {
				y = ^y
			}
			if k&1 == 0 {
				z = ^z
			}
			v[i] |= x & y & z
		}
	}
	t.write(o, &v, w, n)
}

func testMask(t *thread, o *op) {
	n := elementOf(o.at.Mnemonic)
	w := int(o.args[1].bytes)
	a, b := t.read(&o.args[1], w), t.read(&o.args[2], w)
	none := o.at.Mnemonic[5] == 'n'
	t.compared(o, w, n, func(i int) bool { return (a.element(i, n)&b.element(i, n) == 0) == none })
}

func testVector(t *thread, o *op) {
	w := o.width()
	a, b := t.read(&o.args[0], w), t.read(&o.args[1], w)
	both, only := uint64(0), uint64(0)
	for i := range w / 8 {
		both |= a[i] & b[i]
		only |= ^a[i] & b[i]
	}
	t.logical(both, 8)
	t.negative = false // as the processor has it, whatever the bits are
	t.carry = only == 0
}

// maskBytes is the size that the last letter of an instruction of masks says.
func (o *op) maskBytes() int {
	return integerEnds[o.at.Mnemonic[len(o.at.Mnemonic)-1]]
}

func moveMask(t *thread, o *op) {
	n := o.maskBytes()
	to, from := &o.args[0], &o.args[1]
	v := t.read(from, n)
	e := v[0] & masks[n]
	switch {
	case to.kind == assembly.InMemory:
		t.memory.store(t.address(to), n, e)
	case to.register.IsMask():
		t.k[to.register-assembly.K0] = e
	default:
		t.set(to, e)
	}
}

func combineMasks(t *thread, o *op) {
	name := o.at.Mnemonic
	n := o.maskBytes()
	k := func(i int) uint64 { return t.k[o.args[i].register-assembly.K0] }
	var v uint64
	switch stem := name[1 : len(name)-1]; stem {
	case "and":
		v = k(1) & k(2)
	case "or":
		v = k(1) | k(2)
	case "xor":
		v = k(1) ^ k(2)
	case "xnor":
		v = ^(k(1) ^ k(2))
	case "andn":
		v = ^k(1) & k(2)
	case "not":
		v = ^k(1)
	default: // kunpck: two halves
		half := n / 2
		v = k(1)<<(8*half) | k(2)&masks[half]
	}
	t.k[o.args[0].register-assembly.K0] = v & masks[n]
}

func shiftMask(t *thread, o *op) {
	n := o.maskBytes()
	v := t.k[o.args[1].register-assembly.K0] & masks[n]
	if o.at.Mnemonic[6] == 'r' {
		v >>= uint(o.imm())
	} else {
		v <<= uint(o.imm())
	}
	t.k[o.args[0].register-assembly.K0] = v & masks[n]
}

func testMasks(t *thread, o *op) {
	n := o.maskBytes()
	a, b := t.k[o.args[0].register-assembly.K0]&masks[n], t.k[o.args[1].register-assembly.K0]&masks[n]
	if o.at.Mnemonic[1] == 'o' {
		t.logical(a|b, uint8(n))
		t.carry = a|b == masks[n]
		return
	}
	t.logical(a&b, uint8(n))
	t.carry = ^a&b == 0
}

// compareFlags compares two numbers into the flags: zero, parity and carry are all set where one is no number.
func compareFlags(t *thread, o *op) {
	n := o.lanes.bytes
	x, y := t.read(&o.args[0], n), t.read(&o.args[1], n)
	a, b := f64(x[0]), f64(y[0])
	if n == 4 {
		a, b = float64(f32(x[0])), float64(f32(y[0]))
	}
	t.floating, t.unordered = true, a != a || b != b
	t.negative, t.overflow = false, false
	t.carry = a < b || t.unordered
	t.result = 1
	if a == b || t.unordered {
		t.result = 0
	}
}

// moveChosen moves the elements whose counterparts in a second operand have their highest bit set: those of a load, the others being zero, or of a
// store: vmaskmovpd, vpmaskmovd.
func moveChosen(t *thread, o *op) {
	n := elementOf(o.at.Mnemonic)
	to, by, from := &o.args[0], t.read(&o.args[1], 32), &o.args[2]
	w := max(int(to.bytes), int(from.bytes))
	a := t.read(from, w)
	for i := range w / n {
		chosen := by.element(i, n)>>(8*n-1) != 0
		switch {
		case to.kind == assembly.InMemory && chosen:
			t.memory.store(t.address(to)+uint64(i*n), n, a.element(i, n))
		case !chosen:
			a.setElement(i, n, 0)
		}
	}
	if to.kind != assembly.InMemory {
		t.write(o, &a, w, n)
	}
}

// spreadMask makes elements of ones where a mask is set: vpmovm2d.
func spreadMask(t *thread, o *op) {
	w, n := o.width(), o.maskBytes()
	m := t.k[o.args[1].register-assembly.K0]
	var v vector
	for i := range w / n {
		if m>>i&1 != 0 {
			v.setElement(i, n, ^uint64(0))
		}
	}
	t.write(o, &v, w, n)
}

// maskOfSigns makes a mask of the highest bits of elements: vpmovb2m.
func maskOfSigns(t *thread, o *op) {
	n, w := integerEnds[o.at.Mnemonic[4]], int(o.args[1].bytes)
	a := t.read(&o.args[1], w)
	m := uint64(0)
	for i := range w / n {
		m |= a.element(i, n) >> (8*n - 1) << i
	}
	t.k[o.args[0].register-assembly.K0] = m
}
