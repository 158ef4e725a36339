package emulate

import "foresee/application/assembly"

func spread(t *thread, o *op) {
	n, w := elementOf(o.at.Mnemonic), o.width()
	from := t.read(&o.args[1], n)
	e := from.element(0, n)
	var v vector
	for i := range w / n {
		v.setElement(i, n, e)
	}
	t.write(o, &v, w, n)
}

// partBytes is how many bytes a part has that is put in, taken out or repeated, by the end of the mnemonic.
func (o *op) partBytes() int {
	name := o.at.Mnemonic
	switch name[len(name)-4:] {
	case "64x4", "32x8":
		return 32
	case "32x2":
		return 8
	}
	return 16
}

// partElement is the width of an element of such a part, by which masks go.
func (o *op) partElement() int {
	name := o.at.Mnemonic
	if len(name) > 4 && name[len(name)-4:len(name)-2] == "32" {
		return 4
	}
	return 8
}

func spreadPart(t *thread, o *op) {
	n, w := o.partBytes()/8, o.width()
	from := t.read(&o.args[1], 8*n)
	var v vector
	for i := range w / 8 {
		v[i] = from[i%n]
	}
	t.write(o, &v, w, o.partElement())
}

func insertPart(t *thread, o *op) {
	n, w := o.partBytes()/8, o.width()
	v, part := t.read(&o.args[1], w), t.read(&o.args[2], 8*n)
	at := o.imm() % (w / 8 / n) * n
	copy(v[at:at+n], part[:n])
	t.write(o, &v, w, o.partElement())
}

func extractPart(t *thread, o *op) {
	n := o.partBytes() / 8
	from := t.read(&o.args[1], 64)
	at := o.imm() % (int(o.args[1].bytes) / 8 / n) * n
	var v vector
	copy(v[:n], from[at:at+n])
	t.write(o, &v, 8*n, o.partElement())
}

func insertElement(t *thread, o *op) {
	n := integerEnds[o.at.Mnemonic[len(o.at.Mnemonic)-1]]
	x := &o.args[0]
	if len(o.args) == 4 {
		x = &o.args[1]
	}
	v, e := t.read(x, 16), t.read(&o.args[len(o.args)-2], n)
	v.setElement(o.imm()%(16/n), n, e[0]&masks[n])
	t.writeScalar(o, &v, 8)
}

func extractElement(t *thread, o *op) {
	n := 4
	if o.at.Mnemonic != "extractps" {
		n = integerEnds[o.at.Mnemonic[len(o.at.Mnemonic)-1]]
	}
	v := t.read(&o.args[1], 16)
	e := v.element(o.imm()%(16/n), n)
	to := o.args[0]
	if to.kind == assembly.InMemory {
		to.bytes = uint8(n)
	}
	t.put(&to, e)
}

func insertFloat(t *thread, o *op) {
	x, y := o.sources()
	v, from, imm := t.read(x, 16), t.read(y, 16), o.imm()
	e := from.element(imm>>6&3, 4)
	if y.kind == assembly.InMemory {
		e = from.element(0, 4)
	}
	v.setElement(imm>>4&3, 4, e)
	for i := range 4 {
		if imm>>i&1 != 0 {
			v.setElement(i, 4, 0)
		}
	}
	t.writeScalar(o, &v, 8)
}

// gathered are the widths of an index and of an element of a gather or scatter.
func (o *op) gathered() (index, data int) {
	name := o.at.Mnemonic
	index, data = 4, 8
	end := name[len(name)-2:]
	if letter := name[len(name)-2]; name[0] != 'p' {
		if name[len(name)-3] == 'q' {
			index = 8
		}
		if end == "ps" {
			data = 4
		}
	} else {
		if letter == 'q' {
			index = 8
		}
		if end[1] == 'd' {
			data = 4
		}
	}
	return index, data
}

// accessed is the address of an operation's access; of what is gathered or scattered that of the first element.
func (t *thread) accessed(o *op) uint64 {
	a := o.args[o.access]
	if !a.index.Vector() {
		return t.address(&a)
	}
	index, _ := o.gathered()
	first := signed(t.v[a.index-assembly.V0].element(0, index), uint8(index))
	a.index = assembly.NoRegister
	return t.address(&a) + uint64(first)*a.scale
}

func gather(t *thread, o *op) {
	index, data := o.gathered()
	to, from := &o.args[0], &o.args[1]
	count := min(int(to.bytes)/data, int(64/index))
	by := t.v[from.index-assembly.V0]
	v := t.read(to, 64)
	base := *from
	base.index = assembly.NoRegister
	m := ^uint64(0)
	if to.mask != 0 {
		m = t.k[to.mask-assembly.K0]
		t.k[to.mask-assembly.K0] = 0
	} else if len(o.args) == 3 { // AVX2: the signs of a third operand
		s := t.read(&o.args[2], 32)
		m = 0
		for i := range count {
			m |= s.element(i, data) >> (8*data - 1) << i
		}
	}
	at := t.address(&base)
	for i := range count {
		if m>>i&1 != 0 {
			k := signed(by.element(i, index), uint8(index))
			v.setElement(i, data, t.memory.load(at+uint64(k)*from.scale, data))
		}
	}
	unmasked := *o
	plain := *to
	plain.mask = 0
	unmasked.args = []arg{plain}
	t.write(&unmasked, &v, int(to.bytes), data)
}

func scatter(t *thread, o *op) {
	index, data := o.gathered()
	to, from := &o.args[0], &o.args[1]
	count := min(int(from.bytes)/data, 64/index)
	by, v := t.v[to.index-assembly.V0], t.read(from, 64)
	base := *to
	base.index = assembly.NoRegister
	at := t.address(&base)
	m := t.k[to.mask-assembly.K0]
	for i := range count {
		if m>>i&1 != 0 {
			k := signed(by.element(i, index), uint8(index))
			t.memory.store(at+uint64(k)*to.scale, data, v.element(i, data))
		}
	}
	t.k[to.mask-assembly.K0] = 0
}
