package emulate

import (
	"math/bits"

	"foresee/application/assembly"
)

// interleavedBytes are the elements that unpack works on.
func interleavedBytes(name string) int {
	switch name[len(name)-2:] {
	case "bw":
		return 1
	case "wd":
		return 2
	case "dq", "ps":
		if len(name) > 3 && name[len(name)-3:] == "qdq" {
			return 8
		}
		return 4
	}
	return 8
}

func interleave(t *thread, o *op) {
	x, y := o.sources()
	w, n := o.width(), interleavedBytes(o.at.Mnemonic)
	high := 0
	if o.at.Mnemonic[5] == 'h' || o.at.Mnemonic[0] == 'p' && o.at.Mnemonic[6] == 'h' {
		high = 8 / n
	}
	a, b := t.read(x, w), t.read(y, w)
	var v vector
	for part := range w / 16 {
		at := part * 16 / n
		for i := range 8 / n {
			v.setElement(at+2*i, n, a.element(at+high+i, n))
			v.setElement(at+2*i+1, n, b.element(at+high+i, n))
		}
	}
	t.write(o, &v, w, n)
}

func shufflePair(t *thread, o *op) {
	x, y := o.sources()
	w, imm, n := o.width(), o.imm(), elementOf(o.at.Mnemonic)
	a, b := t.read(x, w), t.read(y, w)
	var v vector
	for i := range w / n {
		from := &a
		if n == 8 {
			if i%2 == 1 {
				from = &b
			}
			v[i] = from[i&^1+imm>>i&1]
			continue
		}
		if i%4 >= 2 {
			from = &b
		}
		v.setElement(i, 4, from.element(i&^3+imm>>(2*(i%4))&3, 4))
	}
	t.write(o, &v, w, n)
}

func shuffleOne(t *thread, o *op) {
	w, n := o.width(), 4
	if o.at.Mnemonic == "permilpd" {
		n = 8
	}
	a := t.read(&o.args[1], w)
	last := &o.args[2]
	var by vector
	if last.kind != assembly.Immediate {
		by = t.read(last, w)
	}
	var v vector
	for i := range w / n {
		k := 0
		switch {
		case last.kind != assembly.Immediate && n == 8:
			k = int(by[i] >> 1 & 1)
		case last.kind != assembly.Immediate:
			k = int(by.element(i, 4) & 3)
		case n == 8:
			k = o.imm() >> i & 1
		default:
			k = o.imm() >> (2 * (i % 4)) & 3
		}
		v.setElement(i, n, a.element(i&^(16/n-1)+k, n))
	}
	t.write(o, &v, w, n)
}

func shuffleHalf(t *thread, o *op) {
	w, imm := o.width(), o.imm()
	a := t.read(&o.args[1], w)
	v := a
	high := 0
	if o.at.Mnemonic == "pshufhw" {
		high = 4
	}
	for part := range w / 16 {
		for i := range 4 {
			v.setElement(part*8+high+i, 2, a.element(part*8+high+imm>>(2*i)&3, 2))
		}
	}
	t.write(o, &v, w, 2)
}

func shuffleBytes(t *thread, o *op) {
	x, y := o.sources()
	w := o.width()
	a, by := t.read(x, w), t.read(y, w)
	var v vector
	for i := range w {
		if k := by.element(i, 1); k < 0x80 {
			v.setElement(i, 1, a.element(i&^15+int(k&15), 1))
		}
	}
	t.write(o, &v, w, 1)
}

func permuteParts(t *thread, o *op) {
	a, b, imm := t.read(&o.args[1], 32), t.read(&o.args[2], 32), o.imm()
	var v vector
	for i := range 2 {
		k := imm >> (4 * i)
		from := &a
		if k&2 != 0 {
			from = &b
		}
		if k&8 == 0 {
			copy(v[2*i:2*i+2], from[k&1*2:k&1*2+2])
		}
	}
	t.write(o, &v, 32, 8)
}

func permute(t *thread, o *op) {
	w, n := o.width(), elementOf(o.at.Mnemonic)
	switch o.at.Mnemonic {
	case "permd":
		n = 4
	case "permw":
		n = 2
	case "permb":
		n = 1
	}
	var v vector
	if o.args[2].kind == assembly.Immediate {
		a := t.read(&o.args[1], w)
		for i := range w / 8 {
			v[i] = a[i&^3+o.imm()>>(2*(i%4))&3]
		}
	} else {
		by, a := t.read(&o.args[1], w), t.read(&o.args[2], w)
		for i := range w / n {
			v.setElement(i, n, a.element(int(by.element(i, n))&(w/n-1), n))
		}
	}
	t.write(o, &v, w, n)
}

// permuteTwo chooses from two vectors: for permt2 the destination is the first of them, for permi2 it says which.
func permuteTwo(t *thread, o *op) {
	w, n := o.width(), elementOf(o.at.Mnemonic)
	switch o.at.Mnemonic[len(o.at.Mnemonic)-1] {
	case 'd':
		if o.at.Mnemonic[len(o.at.Mnemonic)-2] == '2' {
			n = 4
		}
	case 'w':
		n = 2
	case 'b':
		n = 1
	}
	a, by, b := t.read(&o.args[0], w), t.read(&o.args[1], w), t.read(&o.args[2], w)
	if o.at.Mnemonic[4] == 'i' {
		a, by = by, a
	}
	count := w / n
	var v vector
	for i := range count {
		k := int(by.element(i, n)) & (2*count - 1)
		if k < count {
			v.setElement(i, n, a.element(k, n))
		} else {
			v.setElement(i, n, b.element(k-count, n))
		}
	}
	t.write(o, &v, w, n)
}

func align(t *thread, o *op) {
	w, n := o.width(), 8
	if o.at.Mnemonic == "alignd" {
		n = 4
	}
	a, b := t.read(&o.args[1], w), t.read(&o.args[2], w)
	count := w / n
	var v vector
	for i := range count {
		k := i + o.imm()&(count-1)
		if k < count {
			v.setElement(i, n, b.element(k, n))
		} else {
			v.setElement(i, n, a.element(k-count, n))
		}
	}
	t.write(o, &v, w, n)
}

func alignBytes(t *thread, o *op) {
	x, y := o.sources()
	w := o.width()
	a, b := t.read(x, w), t.read(y, w)
	var v vector
	for part := 0; part < w; part += 16 {
		for i := range 16 {
			switch k := i + o.imm(); {
			case k < 16:
				v.setElement(part+i, 1, b.element(part+k, 1))
			case k < 32:
				v.setElement(part+i, 1, a.element(part+k-16, 1))
			}
		}
	}
	t.write(o, &v, w, 1)
}

func shiftBytes(t *thread, o *op) {
	w, by := o.width(), min(o.imm(), 16)
	from := &o.args[0]
	if len(o.args) == 3 {
		from = &o.args[1]
	}
	a := t.read(from, w)
	var v vector
	for part := 0; part < w; part += 16 {
		for i := range 16 {
			k := i - by
			if o.at.Mnemonic == "psrldq" {
				k = i + by
			}
			if k >= 0 && k < 16 {
				v.setElement(part+i, 1, a.element(part+k, 1))
			}
		}
	}
	t.write(o, &v, w, 1)
}

func shuffleParts(t *thread, o *op) {
	w := o.width()
	a, b := t.read(&o.args[1], w), t.read(&o.args[2], w)
	parts := w / 16
	step := bits.Len(uint(parts)) - 1
	var v vector
	for i := range parts {
		from := &a
		if i >= parts/2 {
			from = &b
		}
		k := o.imm() >> (step * i) & (parts - 1)
		copy(v[2*i:2*i+2], from[2*k:2*k+2])
	}
	t.write(o, &v, w, o.shuffledElement())
}

// shuffledElement is the width of an element by which masks of such shuffles go.
func (o *op) shuffledElement() int {
	if n := o.at.Mnemonic; n[len(n)-4:len(n)-2] == "32" {
		return 4
	}
	return 8
}
