package emulate

import "strings"

// alternate subtracts in elements with even numbers and adds in the others: addsubpd.
func alternate(t *thread, o *op) {
	x, y := o.sources()
	w, n := o.width(), elementOf(o.at.Mnemonic)
	which := precision(n)
	a, b := t.read(x, w), t.read(y, w)
	for i := range w / n {
		f := floats["sub"][which]
		if i%2 == 1 {
			f = floats["add"][which]
		}
		a.setElement(i, n, f(a.element(i, n), b.element(i, n)))
	}
	t.write(o, &a, w, n)
}

// besides carries out a calculation of two neighbouring elements of each operand, 16 bytes by 16 bytes: haddpd, hsubps, phaddw, phsubd.
func besides(t *thread, o *op) {
	x, y := o.sources()
	w, name := o.width(), o.at.Mnemonic
	n := elementOf(name)
	var two func(a, b uint64) uint64
	if name[0] == 'p' {
		two = pairOf(name[2:len(name)-1], n)
	} else {
		two = floats[name[1:4]][precision(n)]
	}
	a, b := t.read(x, w), t.read(y, w)
	var v vector
	half := 8 / n
	for part := range w / 16 {
		at := part * 16 / n
		for i := range half {
			v.setElement(at+i, n, two(a.element(at+2*i, n), a.element(at+2*i+1, n)))
			v.setElement(at+half+i, n, two(b.element(at+2*i, n), b.element(at+2*i+1, n)))
		}
	}
	t.write(o, &v, w, n)
}

// sumDifferences adds up the differences of eight bytes each: psadbw.
func sumDifferences(t *thread, o *op) {
	x, y := o.sources()
	w := o.width()
	a, b := t.read(x, w), t.read(y, w)
	var v vector
	for i := range w {
		p, q := a.element(i, 1), b.element(i, 1)
		v[i/8] += max(p, q) - min(p, q)
	}
	t.write(o, &v, w, 8)
}

// multiplyBytes makes of bytes without a sign and bytes with one sums of two products in 16 bits: pmaddubsw.
func multiplyBytes(t *thread, o *op) {
	x, y := o.sources()
	w := o.width()
	a, b := t.read(x, w), t.read(y, w)
	var v vector
	for i := range w / 2 {
		sum := int64(0)
		for k := 2 * i; k < 2*i+2; k++ {
			sum += int64(a.element(k, 1)) * signed(b.element(k, 1), 1)
		}
		v.setElement(i, 2, uint64(min(max(sum, -1<<15), 1<<15-1)))
	}
	t.write(o, &v, w, 2)
}

// addProducts adds to integers of four bytes the products of what lies there in two others, by bytes or by 16 bits: vpdpbusd, vpdpwssds.
func addProducts(t *thread, o *op) {
	w, name := o.width(), o.at.Mnemonic
	n, signless := 2, strings.HasPrefix(name, "pdpbus")
	if signless {
		n = 1
	}
	v, a, b := t.read(&o.args[0], w), t.read(&o.args[1], w), t.read(&o.args[2], w)
	for i := range w / 4 {
		sum := s32(v.element(i, 4))
		for k := i * 4 / n; k < (i+1)*4/n; k++ {
			p := a.element(k, n)
			if !signless {
				p = uint64(signed(p, uint8(n)))
			}
			sum += int64(p) * signed(b.element(k, n), uint8(n))
		}
		if strings.HasSuffix(name, "ds") {
			sum = min(max(sum, -1<<31), 1<<31-1)
		}
		v.setElement(i, 4, uint64(sum))
	}
	t.write(o, &v, w, 4)
}
