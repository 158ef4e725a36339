package emulate

import (
	"math/bits"

	"foresee/application/assembly"
)

// vectorOps are the instructions that move, rearrange, gather and combine elements, and those of masks.
var vectorOps = map[string]func(*thread, *op){
	"movaps": moveWhole, "movapd": moveWhole, "movups": moveWhole, "movupd": moveWhole, "movdqa": moveWhole, "movdqu": moveWhole, "lddqu": moveWhole,
	"movdqa32": moveWhole, "movdqa64": moveWhole, "movdqu8": moveWhole, "movdqu16": moveWhole, "movdqu32": moveWhole, "movdqu64": moveWhole,
	"movntps": moveWhole, "movntpd": moveWhole, "movntdq": moveWhole, "movntdqa": moveWhole,
	"movsd": moveScalar, "movss": moveScalar, "movd": moveWord, "movq": moveWord, "movhpd": moveHalf, "movhps": moveHalf, "movlpd": moveHalf, "movlps": moveHalf,
	"movlhps": moveBetween, "movhlps": moveBetween, "movddup": duplicate, "movsldup": duplicate, "movshdup": duplicate,
	"movmskpd": signs, "movmskps": signs, "pmovmskb": signs,

	"broadcastss": spread, "broadcastsd": spread, "pbroadcastb": spread, "pbroadcastw": spread, "pbroadcastd": spread, "pbroadcastq": spread,
	"broadcastf128": spreadPart, "broadcasti128": spreadPart, "broadcastf64x2": spreadPart, "broadcastf64x4": spreadPart, "broadcastf32x4": spreadPart,
	"broadcastf32x8": spreadPart, "broadcasti64x2": spreadPart, "broadcasti64x4": spreadPart, "broadcasti32x4": spreadPart, "broadcasti32x8": spreadPart,
	"broadcastf32x2": spreadPart, "broadcasti32x2": spreadPart,
	"insertf128": insertPart, "inserti128": insertPart, "insertf64x2": insertPart, "insertf64x4": insertPart, "insertf32x4": insertPart, "insertf32x8": insertPart,
	"inserti64x2": insertPart, "inserti64x4": insertPart, "inserti32x4": insertPart, "inserti32x8": insertPart,
	"extractf128": extractPart, "extracti128": extractPart, "extractf64x2": extractPart, "extractf64x4": extractPart, "extractf32x4": extractPart,
	"extractf32x8": extractPart, "extracti64x2": extractPart, "extracti64x4": extractPart, "extracti32x4": extractPart, "extracti32x8": extractPart,
	"pinsrb": insertElement, "pinsrw": insertElement, "pinsrd": insertElement, "pinsrq": insertElement,
	"pextrb": extractElement, "pextrw": extractElement, "pextrd": extractElement, "pextrq": extractElement, "extractps": extractElement, "insertps": insertFloat,

	"unpcklps": interleave, "unpckhps": interleave, "unpcklpd": interleave, "unpckhpd": interleave,
	"punpcklbw": interleave, "punpckhbw": interleave, "punpcklwd": interleave, "punpckhwd": interleave,
	"punpckldq": interleave, "punpckhdq": interleave, "punpcklqdq": interleave, "punpckhqdq": interleave,
	"shufps": shufflePair, "shufpd": shufflePair, "pshufd": shuffleOne, "permilps": shuffleOne, "permilpd": shuffleOne, "pshuflw": shuffleHalf, "pshufhw": shuffleHalf,
	"pshufb": shuffleBytes, "perm2f128": permuteParts, "perm2i128": permuteParts,
	"permpd": permute, "permq": permute, "permps": permute, "permd": permute, "permw": permute, "permb": permute,
	"permt2pd": permuteTwo, "permt2ps": permuteTwo, "permt2d": permuteTwo, "permt2q": permuteTwo, "permt2w": permuteTwo,
	"permi2pd": permuteTwo, "permi2ps": permuteTwo, "permi2d": permuteTwo, "permi2q": permuteTwo, "permi2w": permuteTwo,
	"alignq": align, "alignd": align, "palignr": alignBytes, "pslldq": shiftBytes, "psrldq": shiftBytes,
	"shuff64x2": shuffleParts, "shuff32x4": shuffleParts, "shufi64x2": shuffleParts, "shufi32x4": shuffleParts,
	"blendps": blendConstant, "blendpd": blendConstant, "pblendw": blendConstant, "pblendd": blendConstant,
	"blendvps": blendSigns, "blendvpd": blendSigns, "pblendvb": blendSigns,
	"blendmps": blendMask, "blendmpd": blendMask, "pblendmd": blendMask, "pblendmq": blendMask, "pblendmb": blendMask, "pblendmw": blendMask,
	"pternlogd": ternary, "pternlogq": ternary, "haddpd": horizontal, "haddps": horizontal,
	"gatherdpd": gather, "gatherdps": gather, "gatherqpd": gather, "gatherqps": gather, "pgatherdd": gather, "pgatherdq": gather, "pgatherqd": gather, "pgatherqq": gather,
	"scatterdpd": scatter, "scatterdps": scatter, "scatterqpd": scatter, "scatterqps": scatter, "pscatterdd": scatter, "pscatterdq": scatter, "pscatterqd": scatter, "pscatterqq": scatter,
	"ptestmd": testMask, "ptestmq": testMask, "ptestnmd": testMask, "ptestnmq": testMask, "ptest": testVector,

	"kmovb": moveMask, "kmovw": moveMask, "kmovd": moveMask, "kmovq": moveMask,
	"kandb": combineMasks, "kandw": combineMasks, "kandd": combineMasks, "kandq": combineMasks, "korb": combineMasks, "korw": combineMasks, "kord": combineMasks, "korq": combineMasks,
	"kxorb": combineMasks, "kxorw": combineMasks, "kxord": combineMasks, "kxorq": combineMasks, "kxnorb": combineMasks, "kxnorw": combineMasks, "kxnord": combineMasks, "kxnorq": combineMasks,
	"kandnb": combineMasks, "kandnw": combineMasks, "kandnd": combineMasks, "kandnq": combineMasks, "knotb": combineMasks, "knotw": combineMasks, "knotd": combineMasks, "knotq": combineMasks,
	"kunpckbw": combineMasks, "kunpckwd": combineMasks, "kunpckdq": combineMasks,
	"kshiftrb": shiftMask, "kshiftrw": shiftMask, "kshiftrd": shiftMask, "kshiftrq": shiftMask, "kshiftlb": shiftMask, "kshiftlw": shiftMask, "kshiftld": shiftMask, "kshiftlq": shiftMask,
	"kortestb": testMasks, "kortestw": testMasks, "kortestd": testMasks, "kortestq": testMasks, "ktestb": testMasks, "ktestw": testMasks,

	"ucomisd": compareFlags, "ucomiss": compareFlags, "comisd": compareFlags, "comiss": compareFlags,
}

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

func horizontal(t *thread, o *op) {
	x, y := o.sources()
	w, n := o.width(), elementOf(o.at.Mnemonic)
	plus := floats["add"][0]
	if n == 4 {
		plus = floats["add"][1]
	}
	a, b := t.read(x, w), t.read(y, w)
	var v vector
	half := 8 / n
	for part := range w / 16 {
		at := part * 16 / n
		for i := range half {
			v.setElement(at+i, n, plus(a.element(at+2*i, n), a.element(at+2*i+1, n)))
			v.setElement(at+half+i, n, plus(b.element(at+2*i, n), b.element(at+2*i+1, n)))
		}
	}
	t.write(o, &v, w, n)
}

// indexBytes and dataBytes are the widths of an index and of an element of a gather or scatter.
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
