package assembly

import (
	"strconv"
	"strings"
)

// Register is a whole register, whichever part of it an operand names.
type Register uint8

// The registers of x86-64: sixteen for integers, 32 for vectors, eight for masks, the flags, and that of the program's place.
const (
	NoRegister Register = iota
	RAX
	RCX
	RDX
	RBX
	RSP
	RBP
	RSI
	RDI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
	V0
	K0        = V0 + 32
	Flags     = K0 + 8
	RIP       = Flags + 1
	Registers = RIP + 1 // how many there are, NoRegister among them
)

// Integer says whether a register is one of the sixteen for integers and addresses.
func (r Register) Integer() bool { return r >= RAX && r <= R15 }

// Vector says whether a register is one of those for vectors and floating point.
func (r Register) Vector() bool { return r >= V0 && r < K0 }

// IsMask says whether a register is one for masks.
func (r Register) IsMask() bool { return r >= K0 && r < Flags }

// part is what a name stands for: so many bytes of a register; high are bits 8 to 15.
type part struct {
	register Register
	bytes    uint8
	high     bool
}

// parts are the registers by their names, of all sizes.
var parts = registerParts()

func registerParts() map[string]part {
	m := map[string]part{"rip": {RIP, 8, false}, "eip": {RIP, 4, false}}
	old := []string{"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"}
	for i, name := range old {
		r := RAX + Register(i)
		m["r"+name], m["e"+name], m[name] = part{r, 8, false}, part{r, 4, false}, part{r, 2, false}
		low := name + "l"
		if i < 4 {
			low = name[:1] + "l"
			m[name[:1]+"h"] = part{r, 1, true}
		}
		m[low] = part{r, 1, false}
	}
	for i := 8; i < 16; i++ {
		r, name := R8+Register(i-8), "r"+strconv.Itoa(i)
		m[name], m[name+"d"], m[name+"w"], m[name+"b"] = part{r, 8, false}, part{r, 4, false}, part{r, 2, false}, part{r, 1, false}
	}
	for i := range 32 {
		r := V0 + Register(i)
		for prefix, bytes := range map[string]uint8{"xmm": 16, "ymm": 32, "zmm": 64} {
			m[prefix+strconv.Itoa(i)] = part{r, bytes, false}
		}
	}
	for i := range 8 {
		m["k"+strconv.Itoa(i)] = part{K0 + Register(i), 8, false}
	}
	return m
}

// registerOf finds a register by its name, with or without the sign of AT&T.
func registerOf(name string) (part, bool) {
	p, ok := parts[strings.ToLower(strings.TrimPrefix(name, "%"))]
	return p, ok
}
