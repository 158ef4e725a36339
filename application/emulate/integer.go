package emulate

import (
	"math/bits"

	"foresee/application/assembly"
)

// integerOps are the instructions of integers and of control.
var integerOps = map[string]func(*thread, *op){
	"mov": move, "movzx": move, "movsx": moveSigned, "lea": lea, "push": push, "pop": pop, "leave": leave, "xchg": exchange,
	"add": add, "sub": sub, "cmp": cmp, "adc": adc, "sbb": sbb, "inc": inc, "dec": dec, "neg": neg, "not": not,
	"and": and, "or": or, "xor": xor, "test": test, "andn": andn,
	"shl": shl, "shr": shr, "sar": sar, "rol": rol, "ror": ror, "shld": shld, "shrd": shrd, "shlx": shiftTo, "shrx": shiftTo, "sarx": shiftTo, "rorx": shiftTo,
	"imul": imul, "mul": mul, "div": div, "idiv": idiv, "mulx": mulx,
	"cbw": widen, "cwde": widen, "cdqe": widen, "cwd": fill, "cdq": fill, "cqo": fill,
	"bt": bitTest, "bts": bitTest, "btr": bitTest, "btc": bitTest, "bsf": scan, "bsr": scan, "tzcnt": scan, "lzcnt": scan, "popcnt": popcount, "bswap": swapBytes,
	"blsr": lowest, "blsi": lowest, "blsmsk": lowest, "bzhi": bzhi,
	"cmov": cmov, "set": set, "cmpxchg": compareExchange, "xadd": exchangeAdd,
	"j": branch, "jmp": jump, "call": callTo, "ret": ret,
	"stos": repeated, "movs": repeated,
	"nop": idle, "endbr64": idle, "pause": idle, "lfence": idle, "mfence": idle, "sfence": idle, "zeroupper": zeroUpper, "zeroall": zeroUpper,
	"prefetcht0": idle, "prefetcht1": idle, "prefetcht2": idle, "prefetchnta": idle, "prefetchw": idle, "ldmxcsr": idle, "stmxcsr": storeControl,
}

func idle(*thread, *op) {}

func move(t *thread, o *op) { t.put(&o.args[0], t.get(&o.args[1])) }

func moveSigned(t *thread, o *op) {
	from := &o.args[1]
	t.put(&o.args[0], uint64(signed(t.get(from), from.bytes))&masks[o.args[0].bytes])
}

func lea(t *thread, o *op) { t.put(&o.args[0], t.address(&o.args[1])&masks[o.args[0].bytes]) }

func push(t *thread, o *op) {
	a := &o.args[0]
	t.push(uint64(signed(t.get(a), a.bytes)))
}

func pop(t *thread, o *op) { t.put(&o.args[0], t.pop()) }

func leave(t *thread, _ *op) {
	t.r[assembly.RSP] = t.r[assembly.RBP]
	t.r[assembly.RBP] = t.pop()
}

func exchange(t *thread, o *op) {
	a, b := &o.args[0], &o.args[1]
	x, y := t.get(a), t.get(b)
	t.put(a, y)
	t.put(b, x)
}

func add(t *thread, o *op) {
	a := &o.args[0]
	t.put(a, t.added(t.get(a), t.get(&o.args[1]), 0, a.bytes))
}

func sub(t *thread, o *op) {
	a := &o.args[0]
	t.put(a, t.taken(t.get(a), t.get(&o.args[1]), 0, a.bytes))
}

func cmp(t *thread, o *op) {
	a := &o.args[0]
	t.taken(t.get(a), t.get(&o.args[1]), 0, a.bytes)
}

func one(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func adc(t *thread, o *op) {
	a := &o.args[0]
	t.put(a, t.added(t.get(a), t.get(&o.args[1]), one(t.carry), a.bytes))
}

func sbb(t *thread, o *op) {
	a := &o.args[0]
	t.put(a, t.taken(t.get(a), t.get(&o.args[1]), one(t.carry), a.bytes))
}

func inc(t *thread, o *op) {
	a, carry := &o.args[0], t.carry
	t.put(a, t.added(t.get(a), 1, 0, a.bytes))
	t.carry = carry
}

func dec(t *thread, o *op) {
	a, carry := &o.args[0], t.carry
	t.put(a, t.taken(t.get(a), 1, 0, a.bytes))
	t.carry = carry
}

func neg(t *thread, o *op) {
	a := &o.args[0]
	t.put(a, t.taken(0, t.get(a), 0, a.bytes))
}

func not(t *thread, o *op) {
	a := &o.args[0]
	t.put(a, ^t.get(a)&masks[a.bytes])
}

func and(t *thread, o *op) {
	a := &o.args[0]
	v := t.get(a) & t.get(&o.args[1])
	t.logical(v, a.bytes)
	t.put(a, v)
}

func or(t *thread, o *op) {
	a := &o.args[0]
	v := t.get(a) | t.get(&o.args[1])
	t.logical(v, a.bytes)
	t.put(a, v)
}

func xor(t *thread, o *op) {
	a := &o.args[0]
	v := t.get(a) ^ t.get(&o.args[1])
	t.logical(v, a.bytes)
	t.put(a, v)
}

func test(t *thread, o *op) {
	a := &o.args[0]
	t.logical(t.get(a)&t.get(&o.args[1]), a.bytes)
}

func andn(t *thread, o *op) {
	v := ^t.get(&o.args[1]) & t.get(&o.args[2])
	t.logical(v, o.args[0].bytes)
	t.put(&o.args[0], v&masks[o.args[0].bytes])
}

func imul(t *thread, o *op) {
	if len(o.args) == 1 {
		a := &o.args[0]
		high, low := wideProduct(t.get(a), t.r[assembly.RAX], a.bytes, true)
		t.wide(high, low, a.bytes)
		return
	}
	a, x, y := &o.args[0], &o.args[0], &o.args[1]
	if len(o.args) == 3 {
		x, y = &o.args[1], &o.args[2]
	}
	p := signed(t.get(x), a.bytes) * signed(t.get(y), a.bytes)
	v := uint64(p) & masks[a.bytes]
	t.flags(v, a.bytes)
	high, _ := wideProduct(t.get(x), t.get(y), a.bytes, true)
	t.carry = high != uint64(signed(v, a.bytes)>>63)&masks[a.bytes]
	t.overflow = t.carry
	t.put(a, v)
}

func mul(t *thread, o *op) {
	a := &o.args[0]
	high, low := wideProduct(t.get(a), t.r[assembly.RAX], a.bytes, false)
	t.wide(high, low, a.bytes)
}

func mulx(t *thread, o *op) {
	high, low := wideProduct(t.get(&o.args[2]), t.r[assembly.RDX], o.args[0].bytes, false)
	t.put(&o.args[1], low)
	t.put(&o.args[0], high)
}

// wideProduct is a product of twice the size, in two halves.
func wideProduct(a, b uint64, bytes uint8, withSign bool) (high, low uint64) {
	m := masks[bytes]
	a, b = a&m, b&m
	if withSign {
		a, b = uint64(signed(a, bytes)), uint64(signed(b, bytes))
	}
	if bytes < 8 {
		p := a * b
		return p >> (8 * uint(bytes)) & m, p & m
	}
	high, low = bits.Mul64(a, b)
	if withSign {
		high -= uint64(int64(a)>>63)&b + uint64(int64(b)>>63)&a
	}
	return high, low
}

// wide writes a product into the two registers that hold it.
func (t *thread) wide(high, low uint64, bytes uint8) {
	if bytes == 1 {
		t.set(&arg{register: assembly.RAX, bytes: 2}, high<<8|low)
	} else {
		t.set(&arg{register: assembly.RAX, bytes: bytes}, low)
		t.set(&arg{register: assembly.RDX, bytes: bytes}, high)
	}
	t.carry = high != 0
	t.overflow = t.carry
}

func div(t *thread, o *op) {
	a := &o.args[0]
	d, m := t.get(a), masks[a.bytes]
	high, low := t.r[assembly.RDX]&m, t.r[assembly.RAX]&m
	if a.bytes == 1 {
		high, low = t.r[assembly.RAX]>>8&0xff, t.r[assembly.RAX]&0xff
	}
	if d == 0 || high >= d {
		panic(stop{fault(o.at, "a division by zero or with too large a result")})
	}
	var q, rest uint64
	if a.bytes == 8 {
		q, rest = bits.Div64(high, low, d)
	} else {
		n := high<<(8*uint(a.bytes)) | low
		q, rest = n/d, n%d
	}
	t.divided(q, rest, a.bytes)
}

// divided writes a quotient and its rest.
func (t *thread) divided(q, rest uint64, bytes uint8) {
	if bytes == 1 {
		t.set(&arg{register: assembly.RAX, bytes: 2}, rest&0xff<<8|q&0xff)
		return
	}
	t.set(&arg{register: assembly.RAX, bytes: bytes}, q)
	t.set(&arg{register: assembly.RDX, bytes: bytes}, rest)
}

func idiv(t *thread, o *op) {
	a := &o.args[0]
	d := signed(t.get(a), a.bytes)
	n := signed(t.r[assembly.RAX]&masks[a.bytes], a.bytes)
	if a.bytes < 8 && a.bytes > 1 {
		n = int64((t.r[assembly.RDX]&masks[a.bytes])<<(8*uint(a.bytes)) | t.r[assembly.RAX]&masks[a.bytes])
		n = signed(uint64(n), 2*a.bytes)
	} else if a.bytes == 1 {
		n = signed(t.r[assembly.RAX]&0xffff, 2)
	} else if t.r[assembly.RDX] != uint64(n>>63) {
		panic(stop{fault(o.at, "a division of a number of 128 bits")})
	}
	if d == 0 || d == -1 && n == -1<<63 {
		panic(stop{fault(o.at, "a division by zero or with too large a result")})
	}
	t.divided(uint64(n/d)&masks[a.bytes], uint64(n%d)&masks[a.bytes], a.bytes)
}

// widen widens the accumulator to its double size.
func widen(t *thread, o *op) {
	v := signed(t.r[assembly.RAX]&masks[o.bytes/2], o.bytes/2)
	t.set(&arg{register: assembly.RAX, bytes: o.bytes}, uint64(v)&masks[o.bytes])
}

// fill fills the register above the accumulator with its sign.
func fill(t *thread, o *op) {
	v := signed(t.r[assembly.RAX]&masks[o.bytes], o.bytes) >> 63
	t.set(&arg{register: assembly.RDX, bytes: o.bytes}, uint64(v)&masks[o.bytes])
}

func cmov(t *thread, o *op) {
	v := t.get(&o.args[1])
	if !t.holds(o.cond) {
		v = t.get(&o.args[0]) // which clears the upper half all the same
	}
	t.put(&o.args[0], v)
}

func set(t *thread, o *op) { t.put(&o.args[0], one(t.holds(o.cond))) }

func compareExchange(t *thread, o *op) {
	a := &o.args[0]
	accumulator := arg{kind: assembly.InRegister, register: assembly.RAX, bytes: a.bytes}
	was := t.get(a)
	t.taken(t.get(&accumulator), was, 0, a.bytes)
	if t.result == 0 {
		t.put(a, t.get(&o.args[1]))
		return
	}
	t.put(&accumulator, was)
}

func exchangeAdd(t *thread, o *op) {
	a, b := &o.args[0], &o.args[1]
	was := t.get(a)
	sum := t.added(was, t.get(b), 0, a.bytes)
	t.put(b, was)
	t.put(a, sum)
}

// repeated moves or sets memory, repeated as often as the counter says.
func repeated(t *thread, o *op) {
	n := uint64(1)
	if o.at.Prefix != "" {
		n = t.r[assembly.RCX]
	}
	for range n {
		v := t.r[assembly.RAX]
		if o.at.Mnemonic == "movs" {
			v = t.memory.load(t.r[assembly.RSI], int(o.bytes))
			t.r[assembly.RSI] += uint64(o.bytes)
		}
		t.memory.store(t.r[assembly.RDI], int(o.bytes), v)
		t.r[assembly.RDI] += uint64(o.bytes)
	}
	if o.at.Prefix != "" {
		t.r[assembly.RCX] = 0
	}
}

// usualControl is the control word of floating point as programs begin with it.
const usualControl = 0x1f80

func storeControl(t *thread, o *op) { t.memory.store(t.address(&o.args[0]), 4, usualControl) }

func zeroUpper(t *thread, o *op) {
	from := 2
	if o.at.Mnemonic == "zeroall" {
		from = 0
	}
	for i := range 16 {
		clear(t.v[i][from:])
	}
}
