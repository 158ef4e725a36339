package rewrite

import (
	"regexp"
	"strconv"
	"strings"

	"foresee/application/assembly"
)

// address is where an instruction accesses memory: displacement(base,index,scale) as the assembler takes it, the displacement without what
// registers have changed by.
type address struct {
	displacement string
	base, index  assembly.Register
	scale        int64
	thread       bool // relative to the thread's own data
}

// access is what an instruction does to memory at an address.
type access struct {
	at    address
	bytes int64 // 0: as many as the register length says, times unit
	write bool
	// length of a block: a register that counts units of some bytes.
	length assembly.Register
	unit   int64
	vector *vector // that holds the addresses, of which this is a lane's; nil: there is one
	lane   int
}

// registers that an access needs.
func (a *access) registers() []assembly.Register {
	var all []assembly.Register
	for _, r := range []assembly.Register{a.at.base, a.at.index, a.length} {
		if r != assembly.NoRegister && r != assembly.RIP {
			all = append(all, r)
		}
	}
	return all
}

// unlogged are operands whose instruction the linker may make another one that accesses nothing, or must find as it is.
var unlogged = regexp.MustCompile(`(?i)@(gotpcrel|gottpoff|tlsgd|tlsld|tlsdesc|tlscall|indntpoff)`)

// copying are functions that read or write as many bytes as their third argument says.
var copying = map[string]struct{ reads, writes bool }{
	"memcpy": {true, true}, "memmove": {true, true}, "mempcpy": {true, true}, "__memcpy_chk": {true, true}, "__memmove_chk": {true, true}, "memset": {false, true}, "__memset_chk": {false, true},
}

// accesses are what an instruction does to memory; false where it does what cannot be logged.
func accesses(x *assembly.Instruction) (all []access, seen bool) {
	if x.Opaque {
		return old(x)
	}
	switch x.Mnemonic {
	case "lea", "nop", "endbr64":
		return nil, true
	case "push":
		all = operands(x)
		return append(all, access{at: onStack(-8), bytes: 8, write: true}), !gathers(x)
	case "pop":
		return append([]access{{at: onStack(0), bytes: 8}}, operands(x)...), true
	case "ret":
		return []access{{at: onStack(0), bytes: 8}}, true
	case "leave":
		return []access{{at: address{base: assembly.RBP, scale: 1}, bytes: 8}}, true
	case "call":
		return append(append(operands(x), access{at: onStack(-8), bytes: 8, write: true}), copied(callee(x))...), true
	case "jmp":
		return append(operands(x), copied(callee(x))...), true
	case "stos", "movs":
		return stringAccesses(x), true
	case "lods", "scas", "cmps":
		return nil, false
	}
	if gathers(x) {
		return gathered(x)
	}
	return operands(x), true
}

// onStack is a place so many bytes from the stack pointer.
func onStack(bytes int64) address {
	return address{displacement: strconv.FormatInt(bytes, 10), base: assembly.RSP, scale: 1}
}

// gathers says whether an instruction accesses memory at several addresses that a vector holds.
func gathers(x *assembly.Instruction) bool {
	for i := range x.Operands {
		if o := &x.Operands[i]; o.Kind == assembly.InMemory && o.Index.Vector() {
			return true
		}
	}
	return false
}

// operands are the accesses of an instruction by its operand in memory: what it reads comes first.
func operands(x *assembly.Instruction) []access {
	for i := range x.Operands {
		o := &x.Operands[i]
		if o.Kind != assembly.InMemory || unlogged.MatchString(o.Text) {
			continue
		}
		read, written := x.Uses(i)
		at := addressOf(o)
		bytes := int64(max(o.Bytes, 1))
		if x.Mnemonic == "jmp" || x.Mnemonic == "call" {
			bytes = 8
		}
		var all []access
		if read {
			all = append(all, access{at: at, bytes: bytes})
		}
		if written {
			all = append(all, access{at: at, bytes: bytes, write: true})
		}
		return all
	}
	return nil
}

// addressOf is where an operand in memory lies.
func addressOf(o *assembly.Operand) address {
	text := strings.TrimPrefix(strings.TrimSpace(o.Text), "*")
	if open := strings.IndexByte(text, '{'); open >= 0 {
		text = text[:open]
	}
	thread := false
	if segment, rest, ok := strings.Cut(text, ":"); ok && strings.HasPrefix(segment, "%") {
		thread, text = segment == "%fs", rest
	}
	if open := strings.LastIndexByte(text, '('); open >= 0 {
		text = text[:open]
	}
	return address{displacement: strings.TrimSpace(text), base: o.Base, index: o.Index, scale: max(o.Scale, 1), thread: thread}
}

// callee is the function that an instruction calls or jumps to, where that has a name.
func callee(x *assembly.Instruction) string {
	if len(x.Operands) != 1 || x.Operands[0].Kind != assembly.Label {
		return ""
	}
	name, _, _ := strings.Cut(x.Operands[0].Symbol, "@")
	return name
}

// copied are the blocks that a call of a function of the C library reads and writes.
func copied(name string) (all []access) {
	f, ok := copying[name]
	if !ok {
		return nil
	}
	block := func(r assembly.Register, write bool) access {
		return access{at: address{base: r, scale: 1}, write: write, length: assembly.RDX, unit: 1}
	}
	if f.reads {
		all = append(all, block(assembly.RSI, false))
	}
	if f.writes {
		all = append(all, block(assembly.RDI, true))
	}
	return all
}

// stringAccesses are the accesses of instructions that store or copy, one unit or with a prefix as many as a register says.
func stringAccesses(x *assembly.Instruction) (all []access) {
	unit := int64(max(x.Bytes, 1))
	one := func(r assembly.Register, write bool) access {
		a := access{at: address{base: r, scale: 1}, bytes: unit, write: write}
		if x.Prefix != "" {
			a.bytes, a.length, a.unit = 0, assembly.RCX, unit
		}
		return a
	}
	if x.Mnemonic == "movs" {
		all = append(all, one(assembly.RSI, false))
	}
	return append(all, one(assembly.RDI, true))
}

var (
	oldStore = regexp.MustCompile(`^f(i?st|ist?tp|nst|nsave|xsave)`)
	oldReal  = regexp.MustCompile(`^f(ld|st|stp|add|mul|sub|subr|div|divr|com|comp)([slt])$`)
	oldWhole = regexp.MustCompile(`^fi(ld|st|stp|sttp|add|mul|sub|subr|div|divr|com|comp)(s|l|ll|q)?$`)
	oldPlace = regexp.MustCompile(`^([^(%]*)(\((%[a-z0-9]+)?(?:,(%[a-z0-9]+)(?:,([1248]))?)?\))?$`)
)

// old are the accesses of instructions of the old floating-point unit, which package assembly does not read; others that are not understood access
// nothing, unless they name a place.
func old(x *assembly.Instruction) (all []access, seen bool) {
	_, rest, _ := strings.Cut(strings.ReplaceAll(x.Text, "\t", " "), " ")
	rest = strings.TrimSpace(rest)
	bytes := oldBytes(x.Mnemonic)
	if x.Inline || bytes == 0 {
		return nil, x.Inline || !strings.Contains(strings.ReplaceAll(rest, "%st(", ""), "(")
	}
	o := assembly.ReadInstruction("lea " + rest + ", %rax")
	if o.Opaque || len(o.Operands) != 2 || o.Operands[1].Kind != assembly.InMemory || !oldPlace.MatchString(rest) {
		return nil, true // in its own registers
	}
	return []access{{at: addressOf(&o.Operands[1]), bytes: bytes, write: oldStore.MatchString(x.Mnemonic)}}, true
}

// oldBytes are the bytes that an instruction of the old floating-point unit accesses, where its operand is in memory.
func oldBytes(mnemonic string) int64 {
	if m := oldReal.FindStringSubmatch(mnemonic); m != nil {
		return map[string]int64{"s": 4, "l": 8, "t": 10}[m[2]]
	}
	if m := oldWhole.FindStringSubmatch(mnemonic); m != nil {
		return map[string]int64{"": 2, "s": 2, "l": 4, "ll": 8, "q": 8}[m[2]]
	}
	return map[string]int64{"fnstcw": 2, "fldcw": 2, "fnstsw": 2}[mnemonic]
}
