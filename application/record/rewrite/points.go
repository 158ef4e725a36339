package rewrite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"foresee/application/assembly"
)

// word is one of a segment's that code has to write: an address, or the length of a block.
type word struct {
	access
	instruction int // of the segment
	ofLength    bool
	delta       [2]int64 // that base and index have changed by since the point
}

// point is a place in a segment where words are logged: before an instruction.
type point struct {
	before int
	words  []int // by number
}

// drift is how registers differ from what they were at a point.
type drift struct {
	by      [assembly.Registers]int64
	unknown [assembly.Registers]bool
	all     bool // nothing is known
}

// known gives what an access's registers have changed by; false where that cannot be told.
func (d *drift) known(w *word) (by [2]int64, ok bool) {
	if d.all && len(w.registers()) > 0 {
		return by, false
	}
	for _, r := range w.registers() {
		if d.unknown[r] || r == w.length && d.by[r] != 0 {
			return by, false
		}
	}
	return [2]int64{d.by[w.at.base], d.by[w.at.index]}, true
}

// elusive are instructions that change registers which their operands do not name.
var elusive = names("cpuid rdtsc rdtscp xgetbv cmpxchg cmpxchg8b cmpxchg16b lods scas cmps syscall rdrand rdseed rdpid xchg xadd enter popf popfq rdpkru rdpmc rdmsr")

// step takes in what an instruction does to the registers.
func (d *drift) step(x *assembly.Instruction) {
	switch {
	case x.Opaque && !strings.HasPrefix(x.Mnemonic, "f") || elusive[x.Mnemonic]:
		d.all = true
		return
	case x.Opaque:
		return
	case x.Mnemonic == "push":
		d.by[assembly.RSP] -= 8
		return
	case x.Mnemonic == "pop":
		d.by[assembly.RSP] += 8
		if r := x.Operands; len(r) == 1 && r[0].Kind == assembly.InRegister {
			d.unknown[r[0].Register] = true
		}
		return
	}
	if r, by, ok := moved(x); ok {
		d.by[r] += by
		return
	}
	e := x.Effects()
	for _, r := range e.Writes {
		d.unknown[r] = true
	}
}

// moved says that an instruction adds a number to a whole register.
func moved(x *assembly.Instruction) (r assembly.Register, by int64, ok bool) {
	if len(x.Operands) == 0 || x.Operands[0].Kind != assembly.InRegister || x.Operands[0].Bytes != 8 || !x.Operands[0].Register.Integer() {
		return 0, 0, false
	}
	r = x.Operands[0].Register
	if alone := x.Mnemonic == "inc" || x.Mnemonic == "dec"; !alone && len(x.Operands) != 2 {
		return 0, 0, false
	}
	const most = 1 << 30 // displacements have 32 bits
	switch x.Mnemonic {
	case "inc":
		return r, 1, true
	case "dec":
		return r, -1, true
	case "add", "sub":
		if o := &x.Operands[1]; o.Kind == assembly.Immediate && o.Symbol == "" && o.Value > -most && o.Value < most {
			if x.Mnemonic == "sub" {
				return r, -o.Value, true
			}
			return r, o.Value, true
		}
	case "lea":
		o := &x.Operands[1]
		if o.Base == r && o.Index == assembly.NoRegister && o.Symbol == "" && o.Value > -most && o.Value < most {
			return r, o.Value, true
		}
	}
	return 0, 0, false
}

// places finds the fewest points, each as early as may be, at which the words of a segment can be told; sealed says of each instruction that nothing may
// stand before it. Words that cannot be told anywhere are left out of all points.
func places(code []*assembly.Instruction, words []word, sealed []bool) []point {
	points := []point{{before: 0}}
	var d drift
	at := 0 // of the instructions, up to which drift has come
	used := map[assembly.Register]bool{}
	for k := range words {
		w := &words[k]
		for ; at < w.instruction; at++ {
			d.step(code[at])
		}
		by, ok := d.known(w)
		if w.vector != nil && points[len(points)-1].before != at {
			ok = false // what vectors hold is known where they are used alone
		}
		if !ok || !fits(used, w) {
			if sealed[at] {
				continue // nothing tells it
			}
			if len(points) > 1 || len(points[0].words) > 0 || at > 0 {
				points = append(points, point{before: at})
			}
			d, by = drift{}, [2]int64{}
			clear(used)
		}
		w.delta = by
		for _, r := range w.registers() {
			used[r] = true
		}
		p := &points[len(points)-1]
		p.words = append(p.words, k)
	}
	return points
}

// wanted is how many registers a point borrows: the log's end, an address, and the place of the thread's data or the bits of a mask.
const wanted = 3

// lendable are the registers that a point may borrow, those first that code needs least in addresses.
var lendable = []assembly.Register{
	assembly.RAX, assembly.RCX, assembly.RDX, assembly.RSI, assembly.RDI, assembly.R8, assembly.R9, assembly.R10, assembly.R11, assembly.RBX, assembly.R12, assembly.R13, assembly.R14, assembly.R15,
	assembly.RBP,
}

// fits says whether enough registers are left to borrow with one more word.
func fits(used map[assembly.Register]bool, w *word) bool {
	n := 0
	for _, r := range lendable {
		if used[r] || slices.Contains(w.registers(), r) {
			n++
		}
	}
	return len(lendable)-n >= wanted
}

// choose chooses the registers that a point borrows, but for one: those first that nothing needs behind it.
func (p *point) choose(words []word, needed registerSet, but assembly.Register) (chosen []assembly.Register) {
	var others []assembly.Register
	for _, r := range lendable {
		switch {
		case r == but || slices.ContainsFunc(p.words, func(k int) bool { return slices.Contains(words[k].registers(), r) }):
		case needed.has(r):
			others = append(others, r)
		default:
			chosen = append(chosen, r)
		}
	}
	chosen = append(chosen, others...)
	return chosen[:min(len(chosen), wanted)]
}

// shift is how far code that logs moves the stack pointer: beyond the 128 bytes that functions may use below it (System V ABI, x86-64, 3.2.2), with
// room for the registers that it borrows.
const shift = 128 + 8*wanted + 8

// address writes an address in AT&T's form, at a point where the stack pointer is moved or is not.
func (w *word) address(moved bool) string {
	plus := int64(0)
	if w.at.base != assembly.NoRegister {
		plus += w.delta[0]
	}
	if w.at.index != assembly.NoRegister {
		plus += w.delta[1] * w.at.scale
	}
	if moved && w.at.base == assembly.RSP {
		plus += shift
	}
	text := w.at.displacement
	if n, err := strconv.ParseInt(text, 0, 64); err == nil || text == "" {
		text = strconv.FormatInt(n+plus, 10)
	} else if plus != 0 {
		text = fmt.Sprintf("%d+%s", plus, text)
	}
	switch {
	case w.at.index != assembly.NoRegister && w.at.base != assembly.NoRegister:
		return fmt.Sprintf("%s(%s,%s,%d)", text, nameOf(w.at.base), nameOf(w.at.index), w.at.scale)
	case w.at.index != assembly.NoRegister:
		return fmt.Sprintf("%s(,%s,%d)", text, nameOf(w.at.index), w.at.scale)
	case w.at.base != assembly.NoRegister:
		return fmt.Sprintf("%s(%s)", text, nameOf(w.at.base))
	}
	return text
}

// nameOf is a whole register's name.
func nameOf(r assembly.Register) string { return "%" + registerNames[r] }

var registerNames = map[assembly.Register]string{
	assembly.RAX: "rax", assembly.RCX: "rcx", assembly.RDX: "rdx", assembly.RBX: "rbx", assembly.RSP: "rsp", assembly.RBP: "rbp", assembly.RSI: "rsi", assembly.RDI: "rdi",
	assembly.R8: "r8", assembly.R9: "r9", assembly.R10: "r10", assembly.R11: "r11", assembly.R12: "r12", assembly.R13: "r13", assembly.R14: "r14", assembly.R15: "r15", assembly.RIP: "rip",
}
