package emulate

import (
	"math/bits"
	"strings"

	"foresee/application/assembly"
)

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

// alternate subtracts in elements with even numbers and adds in the others: addsubpd.
func alternate(t *thread, o *op) {
	x, y := o.sources()
	w, n := o.width(), elementOf(o.at.Mnemonic)
	which := map[int]int{8: 0, 4: 1}[n]
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
	two := pairOf(name[2:len(name)-1], n)
	if name[0] != 'p' {
		two = floats[name[1:4]][map[int]int{8: 0, 4: 1}[n]]
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
