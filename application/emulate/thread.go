package emulate

import "foresee/application/assembly"

// vector is the 64 bytes of a vector register, as eight words.
type vector [8]uint64

// thread is what one thread of the program has for itself.
type thread struct {
	*Program
	number int
	r      [assembly.R15 + 1]uint64 // by register; that of no register stays zero
	v      [32]vector
	k      [8]uint64
	// What the last comparison or calculation left.
	result                    uint64 // cut to its size: zero or not, and the parity of its lowest byte
	negative, carry, overflow bool
	floating, unordered       bool // it was a comparison of floating point, and one of the two was no number

	pc   int32 // the next operation
	done bool
	wait waiting
	team *team
	loop asked // that deals its iterations as they are asked for
}

// set makes a register of a value of so many bytes: four clear the upper half, fewer leave the rest.
func (t *thread) set(o *arg, v uint64) {
	switch {
	case o.bytes == 8:
		t.r[o.register] = v
	case o.bytes == 4:
		t.r[o.register] = v & masks[4]
	case o.high:
		t.r[o.register] = t.r[o.register]&^0xff00 | v&0xff<<8
	default:
		m := masks[o.bytes]
		t.r[o.register] = t.r[o.register]&^m | v&m
	}
}

// get is the value of an operand of integers, cut to its size.
func (t *thread) get(o *arg) uint64 {
	switch o.kind {
	case assembly.InRegister:
		v := t.r[o.register]
		if o.high {
			v >>= 8
		}
		return v & masks[o.bytes]
	case assembly.InMemory:
		return t.memory.load(t.address(o), int(o.bytes))
	}
	return uint64(o.value) & masks[o.bytes]
}

// put writes an operand of integers.
func (t *thread) put(o *arg, v uint64) {
	if o.kind == assembly.InMemory {
		t.memory.store(t.address(o), int(o.bytes), v)
		return
	}
	t.set(o, v)
}

// address is where an operand in memory lies.
func (t *thread) address(o *arg) uint64 {
	return uint64(o.value) + t.r[o.base] + t.r[o.index]*o.scale + t.local(o)
}

// local is where the thread's own data begin, for operands there.
func (t *thread) local(o *arg) uint64 {
	if !o.thread {
		return 0
	}
	return threadData + uint64(t.number)*threadSpacing
}

// signed widens a value of so many bytes with its sign.
func signed(v uint64, bytes uint8) int64 {
	shift := 64 - 8*uint(bytes)
	return int64(v<<shift) >> shift
}

// flags notes the result of a calculation.
func (t *thread) flags(result uint64, bytes uint8) {
	t.result = result & masks[bytes]
	t.negative = t.result>>(8*uint(bytes)-1) != 0
	t.floating = false
}

// logical notes the result of a calculation that carries nothing.
func (t *thread) logical(result uint64, bytes uint8) {
	t.flags(result, bytes)
	t.carry, t.overflow = false, false
}

// added notes a + b, and what was carried in.
func (t *thread) added(a, b, carry uint64, bytes uint8) uint64 {
	m := masks[bytes]
	sum := (a + b + carry) & m
	t.flags(sum, bytes)
	t.carry = sum < a&m || carry == 1 && sum == a&m
	t.overflow = (a^sum)&(b^sum)>>(8*uint(bytes)-1)&1 != 0
	return sum
}

// taken notes a − b, and what was borrowed.
func (t *thread) taken(a, b, borrow uint64, bytes uint8) uint64 {
	m := masks[bytes]
	a, b = a&m, b&m
	rest := (a - b - borrow) & m
	t.flags(rest, bytes)
	t.carry = a < b || borrow == 1 && a == b
	t.overflow = (a^b)&(a^rest)>>(8*uint(bytes)-1)&1 != 0
	return rest
}

// condition is what is asked of the flags.
type condition uint8

const (
	isE condition = iota + 1
	isNE
	isL
	isGE
	isLE
	isG
	isB
	isAE
	isBE
	isA
	isS
	isNS
	isO
	isNO
	isP
	isNP
)

var conditionNames = map[string]condition{
	"e": isE, "ne": isNE, "l": isL, "ge": isGE, "le": isLE, "g": isG, "b": isB, "ae": isAE, "be": isBE, "a": isA, "s": isS, "ns": isNS, "o": isO, "no": isNO, "p": isP, "np": isNP,
}

// holds answers a condition.
func (t *thread) holds(c condition) bool {
	zero := t.result == 0
	switch c {
	case isE:
		return zero
	case isNE:
		return !zero
	case isL:
		return t.negative != t.overflow
	case isGE:
		return t.negative == t.overflow
	case isLE:
		return zero || t.negative != t.overflow
	case isG:
		return !zero && t.negative == t.overflow
	case isB:
		return t.carry
	case isAE:
		return !t.carry
	case isBE:
		return t.carry || zero
	case isA:
		return !t.carry && !zero
	case isS:
		return t.negative
	case isNS:
		return !t.negative
	case isO:
		return t.overflow
	case isNO:
		return !t.overflow
	case isP:
		return t.parity()
	}
	return !t.parity()
}

// parity says whether the lowest byte of the result has an even number of bits; after a comparison of floating point, whether one of
// the two was no number.
func (t *thread) parity() bool {
	if t.floating {
		return t.unordered
	}
	b := byte(t.result)
	b ^= b >> 4
	b ^= b >> 2
	b ^= b >> 1
	return b&1 == 0
}
