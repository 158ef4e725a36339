package emulate

import "math/bits"

// count is how far a shift goes: by one where it does not say.
func (t *thread) count(o *op) uint {
	if len(o.args) < 2 {
		return 1
	}
	if o.args[0].bytes == 8 {
		return uint(t.get(&o.args[1]) & 63)
	}
	return uint(t.get(&o.args[1]) & 31)
}

func shl(t *thread, o *op) {
	a, n := &o.args[0], t.count(o)
	if n == 0 {
		t.put(a, t.get(a)) // which clears the upper half of a register
		return
	}
	v := t.get(a)
	width := 8 * uint(a.bytes)
	t.flags(v<<n, a.bytes)
	t.carry = n <= width && v>>(width-n)&1 != 0
	t.overflow = t.negative != t.carry
	t.put(a, v<<n&masks[a.bytes])
}

func shr(t *thread, o *op) {
	a, n := &o.args[0], t.count(o)
	if n == 0 {
		t.put(a, t.get(a)) // which clears the upper half of a register
		return
	}
	v := t.get(a)
	t.flags(v>>n, a.bytes)
	t.carry = v>>(n-1)&1 != 0
	t.overflow = v>>(8*uint(a.bytes)-1)&1 != 0
	t.put(a, v>>n)
}

func sar(t *thread, o *op) {
	a, n := &o.args[0], t.count(o)
	if n == 0 {
		t.put(a, t.get(a)) // which clears the upper half of a register
		return
	}
	v := signed(t.get(a), a.bytes)
	t.flags(uint64(v>>n), a.bytes)
	t.carry, t.overflow = v>>(n-1)&1 != 0, false
	t.put(a, uint64(v>>n)&masks[a.bytes])
}

func rotated(v uint64, n uint, bytes uint8) uint64 {
	width := 8 * uint(bytes)
	n %= width
	return (v<<n | v>>(width-n)) & masks[bytes]
}

func rol(t *thread, o *op) {
	a := &o.args[0]
	v := rotated(t.get(a), t.count(o), a.bytes)
	t.carry = v&1 != 0
	t.put(a, v)
}

func ror(t *thread, o *op) {
	a := &o.args[0]
	width := 8 * uint(a.bytes)
	v := rotated(t.get(a), width-t.count(o)%width, a.bytes)
	t.carry = v>>(width-1)&1 != 0
	t.put(a, v)
}

func shld(t *thread, o *op) { t.double(o, true) }
func shrd(t *thread, o *op) { t.double(o, false) }

// double shifts what another operand holds in.
func (t *thread) double(o *op, left bool) {
	a, width := &o.args[0], 8*uint(o.args[0].bytes)
	n := uint(t.get(&o.args[2])) & 31
	if width == 64 {
		n = uint(t.get(&o.args[2])) & 63
	}
	if n == 0 {
		t.put(a, t.get(a))
		return
	}
	v, in := t.get(a), t.get(&o.args[1])
	if left {
		v = v<<n | in>>(width-n)
	} else {
		v = v>>n | in<<(width-n)
	}
	v &= masks[a.bytes]
	t.flags(v, a.bytes)
	t.put(a, v)
}

// shiftTo shifts without touching the flags.
func shiftTo(t *thread, o *op) {
	to, from := &o.args[0], &o.args[1]
	v, width := t.get(from), 8*uint(to.bytes)
	n := uint(t.get(&o.args[2])) & (width - 1)
	switch o.at.Mnemonic {
	case "shlx":
		v <<= n
	case "shrx":
		v >>= n
	case "sarx":
		v = uint64(signed(v, from.bytes) >> n)
	default:
		v = rotated(v, width-n, to.bytes)
	}
	t.put(to, v&masks[to.bytes])
}

func bitTest(t *thread, o *op) {
	a := &o.args[0]
	v := t.get(a)
	bit := uint64(1) << (t.get(&o.args[1]) & (8*uint64(a.bytes) - 1))
	t.carry = v&bit != 0
	switch o.at.Mnemonic {
	case "bts":
		t.put(a, v|bit)
	case "btr":
		t.put(a, v&^bit)
	case "btc":
		t.put(a, v^bit)
	}
}

func scan(t *thread, o *op) {
	v, bytes := t.get(&o.args[1]), o.args[0].bytes
	width := 8 * int(bytes)
	n := 0
	switch o.at.Mnemonic {
	case "bsf", "tzcnt":
		n = min(bits.TrailingZeros64(v), width)
	case "bsr":
		n = 63 - bits.LeadingZeros64(v)
	default:
		n = bits.LeadingZeros64(v) - 64 + width
	}
	t.carry = v == 0
	t.result = v
	if v == 0 && o.at.Mnemonic[0] == 'b' {
		return // the destination stays
	}
	if o.at.Mnemonic[0] != 'b' {
		t.result = uint64(n)
	}
	t.put(&o.args[0], uint64(n))
}

func popcount(t *thread, o *op) {
	v := t.get(&o.args[1])
	t.logical(v, o.args[0].bytes)
	t.put(&o.args[0], uint64(bits.OnesCount64(v)))
}

func swapBytes(t *thread, o *op) {
	a := &o.args[0]
	t.put(a, bits.ReverseBytes64(t.get(a))>>(64-8*uint(a.bytes)))
}

func lowest(t *thread, o *op) {
	v := t.get(&o.args[1])
	r := v & (v - 1)
	switch o.at.Mnemonic {
	case "blsi":
		r = v & -v
	case "blsmsk":
		r = v ^ (v - 1)
	}
	r &= masks[o.args[0].bytes]
	t.logical(r, o.args[0].bytes)
	t.carry = v == 0
	t.put(&o.args[0], r)
}

func bzhi(t *thread, o *op) {
	v, n := t.get(&o.args[1]), t.get(&o.args[2])&0xff
	if n < 64 {
		v &= 1<<n - 1
	}
	t.logical(v, o.args[0].bytes)
	t.put(&o.args[0], v)
}
