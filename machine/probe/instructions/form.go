package instructions

import (
	"fmt"
	"strings"
)

// form is a form of instruction, as assembly.Instruction.Form writes it, in its parts.
type form struct {
	name  string
	base  string // the mnemonic
	kinds []string
}

func parseForm(name string) form {
	base, rest, _ := strings.Cut(name, " ")
	f := form{name: name, base: base}
	if rest != "" {
		f.kinds = strings.Split(rest, ",")
	}
	return f
}

// vector says whether a kind is a vector.
func vector(kind string) bool { return kind == "x" || kind == "y" || kind == "z" }

// Registers by use. Blockers write the first ten vectors and integers 2 to 7, forms others; sources are never written.
var integerRegisters = []string{"ax", "dx", "bx", "si", "8", "9", "10", "11", "12", "13", "14", "15"}

const (
	dividend      = 0  // rax
	sourceInteger = 10 // r14, which holds 1
	sourceVector  = 13 // a little more than one
	zeroVector    = 14
	oneVector     = 15 // one
)

// integerName is the name of an integer register of so many bytes.
func integerName(i int, bytes string) string {
	r := integerRegisters[i%len(integerRegisters)]
	if r[0] >= '0' && r[0] <= '9' {
		return "r" + r + map[string]string{"1": "b", "2": "w", "4": "d", "8": ""}[bytes]
	}
	if bytes == "1" {
		return map[string]string{"ax": "al", "dx": "dl", "bx": "bl", "si": "sil"}[r]
	}
	return map[string]string{"2": "", "4": "e", "8": "r"}[bytes] + r
}

// operand is the text of an operand of a kind in the register of this number.
func operand(kind string, n int) string {
	switch {
	case vector(kind):
		return fmt.Sprintf("%smm%d", kind, n)
	case kind == "k":
		return fmt.Sprint("k", 1+n%6)
	case kind == "i":
		return "1"
	case kind[0] == 'r':
		return integerName(n, kind[1:])
	case kind == "a0":
		return "[rip + buffer]"
	case kind == "a1":
		return fmt.Sprintf("[%s + 8]", integerName(n, "8"))
	case kind == "a2":
		return fmt.Sprintf("[%s + r14]", integerName(n, "8"))
	case kind == "a3":
		return fmt.Sprintf("[%s + r14*8 + 8]", integerName(n, "8"))
	}
	return "?"
}

// predicated are the instructions whose form leaves a condition out, with one that they can have.
var predicated = map[string]string{
	"cmov": "cmovl", "set": "setl", "cmpsd": "cmpltsd", "cmpss": "cmpltss", "cmppd": "cmpltpd", "cmpps": "cmpltps", "pcmpd": "pcmpltd", "pcmpq": "pcmpltq", "pcmpud": "pcmpltud",
	"pcmpuq": "pcmpltuq", "pcmpb": "pcmpltb", "pcmpub": "pcmpltub", "pcmpw": "pcmpltw", "pcmpuw": "pcmpltuw",
}

// mnemonic is how an assembler wants the form's mnemonic.
func (f *form) mnemonic() string {
	v, base := "", f.base
	if strings.HasPrefix(base, "v") {
		v, base = "v", base[1:]
	}
	if p, ok := predicated[base]; ok {
		return v + p
	}
	if strings.HasPrefix(base, "cvt") && strings.HasSuffix(base, "y") { // only AT&T's syntax needs the width
		return strings.TrimSuffix(f.base, "y")
	}
	if f.base == "movsx" && len(f.kinds) == 2 && f.kinds[1] == "r4" {
		return "movsxd"
	}
	return f.base
}

// instance is one instruction of the form: the destination has this number, sources that one; chained, the last source that can be is
// the destination.
func (f *form) instance(to, from int, chained bool) string {
	var all []string
	linked := -1
	if chained {
		linked = f.link()
	}
	for i, kind := range f.kinds {
		n := from
		if i == 0 || i == linked {
			n = to
		}
		if (kind[0] == 'r' || kind[0] == 'a') && i > 0 && i != linked {
			n = sourceInteger
		}
		all = append(all, operand(kind, n))
	}
	if f.shiftsByRegister() {
		all[1] = "cl"
	}
	if f.divides() {
		by := operand(f.kinds[0], sourceInteger)
		if chained {
			return "xor edx, edx\n\t" + f.base + " " + by
		}
		return "mov " + operand(f.kinds[0], dividend) + ", " + by + "\n\txor edx, edx\n\t" + f.base + " " + by
	}
	if f.gathers() {
		return f.gather(to)
	}
	return strings.TrimSpace(f.mnemonic() + " " + strings.Join(all, ", "))
}

// divides says whether the form divides integers: what rdx and rax hold, which get the remainder and the quotient.
func (f *form) divides() bool { return (f.base == "div" || f.base == "idiv") && len(f.kinds) == 1 }

// gathers says whether the form loads elements at the places that a vector holds.
func (f *form) gathers() bool { return strings.Contains(f.base, "gather") }

// gather is one instance of a form that gathers, which clears its mask: that is set before.
func (f *form) gather(to int) string {
	kind := f.kinds[0]
	index := kind
	if strings.HasSuffix(f.base, "dpd") || strings.HasSuffix(f.base, "gatherdq") {
		index = "x"
	}
	mask := operand(kind, sourceVector)
	return fmt.Sprintf("vpcmpeqd %s, %s, %s\n\t%s %s, [rdi + %s*8], %s", mask, mask, mask, f.base, operand(kind, to), operand(index, zeroVector), mask)
}

// shiftsByRegister says whether the form shifts integers by as much as a register says.
func (f *form) shiftsByRegister() bool {
	return strings.Contains(" shl shr sar rol ror ", " "+f.base+" ") && len(f.kinds) == 2 && f.kinds[1] == "r1"
}

// link is the operand that the destination can be given to, to make a chain; −1 where the destination itself is read, or none can.
func (f *form) link() int {
	for i := len(f.kinds) - 1; i > 0; i-- {
		k := f.kinds[i]
		if k == f.kinds[0] || vector(k) && vector(f.kinds[0]) || k[0] == 'r' && f.kinds[0][0] == 'r' || k[0] == 'a' && f.kinds[0][0] == 'r' && k != "a0" {
			if f.shiftsByRegister() {
				continue
			}
			return i
		}
	}
	return -1
}

// writesInteger and writesVector say where the result goes.
func (f *form) writesInteger() bool { return len(f.kinds) > 0 && f.kinds[0][0] == 'r' }
func (f *form) writesVector() bool  { return len(f.kinds) > 0 && vector(f.kinds[0]) }

// comparison says whether the form only writes flags.
func (f *form) comparison() bool {
	return f.base == "cmp" || f.base == "test" || strings.Contains(f.base, "comis") || f.base == "bt"
}
