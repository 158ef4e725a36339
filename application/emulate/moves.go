package emulate

import "foresee/application/assembly"

// imm is the number that an instruction ends with.
func (o *op) imm() int { return int(o.args[len(o.args)-1].value) }

func moveWhole(t *thread, o *op) {
	w := o.width()
	v := t.read(&o.args[1], w)
	element := elementOf(o.at.Mnemonic)
	t.write(o, &v, w, element)
}

func moveScalar(t *thread, o *op) {
	n := o.lanes.bytes
	to, from := &o.args[0], &o.args[len(o.args)-1]
	if to.kind == assembly.InMemory {
		if to.mask == 0 || t.k[to.mask-assembly.K0]&1 != 0 {
			v := t.read(from, 16)
			t.memory.store(t.address(to), n, v.element(0, n))
		}
		return
	}
	if from.kind == assembly.InMemory {
		v := vector{t.memory.load(t.address(from), n)}
		t.writeScalar(o, &v, n)
		return
	}
	x := to
	if len(o.args) == 3 {
		x = &o.args[1]
	}
	a, b := t.read(x, 16), t.read(from, 16)
	a.setElement(0, n, b.element(0, n))
	t.writeScalar(o, &a, n)
}

func moveWord(t *thread, o *op) {
	to, from := &o.args[0], &o.args[1]
	n := 8
	if o.at.Mnemonic == "movd" {
		n = 4
	}
	for _, a := range o.args { // movd of a register of 64 bits is movq
		if a.kind == assembly.InRegister && a.register.Integer() {
			n = int(a.bytes)
		}
	}
	v := t.read(from, n)
	v = vector{v[0] & masks[n]}
	switch {
	case to.kind == assembly.InMemory:
		t.memory.store(t.address(to), n, v[0])
	case to.register.Integer():
		t.set(to, v[0])
	default:
		t.writeScalar(o, &v, 8)
	}
}

func moveHalf(t *thread, o *op) {
	high := 0
	if o.at.Mnemonic[3] == 'h' {
		high = 1
	}
	to, from := &o.args[0], &o.args[len(o.args)-1]
	if to.kind == assembly.InMemory {
		v := t.read(from, 16)
		t.memory.store(t.address(to), 8, v[high])
		return
	}
	x := to
	if len(o.args) == 3 {
		x = &o.args[1]
	}
	v := t.read(x, 16)
	v[high] = t.memory.load(t.address(from), 8)
	t.writeScalar(o, &v, 8)
}

func moveBetween(t *thread, o *op) {
	x, y := o.sources()
	a, b := t.read(x, 16), t.read(y, 16)
	if o.at.Mnemonic == "movlhps" {
		a[1] = b[0]
	} else {
		a[0] = b[1]
	}
	t.writeScalar(o, &a, 8)
}

func duplicate(t *thread, o *op) {
	w := o.width()
	a := t.read(&o.args[1], w)
	n, odd := 4, 0
	if o.at.Mnemonic == "movddup" {
		n = 8
	}
	if o.at.Mnemonic == "movshdup" {
		odd = 1
	}
	for i := 0; i < w/n; i += 2 {
		e := a.element(i+odd, n)
		a.setElement(i, n, e)
		a.setElement(i+1, n, e)
	}
	t.write(o, &a, w, n)
}

func signs(t *thread, o *op) {
	n := map[string]int{"movmskpd": 8, "movmskps": 4, "pmovmskb": 1}[o.at.Mnemonic]
	w := int(o.args[1].bytes)
	v := t.read(&o.args[1], w)
	m := uint64(0)
	for i := range w / n {
		m |= v.element(i, n) >> (8*n - 1) << i
	}
	t.set(&o.args[0], m)
}
