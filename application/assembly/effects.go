package assembly

import "strings"

// Effects are what an instruction needs and what it changes.
type Effects struct {
	Reads   []Register // values that are worked on; the flags among them
	Address []Register // values that say where memory is accessed
	Writes  []Register
	Load    int // bytes read from memory; 0 for none
	Store   int // bytes written to memory
	// Zero says that the result does not depend on what is read: a register combined with itself.
	Zero bool
	// Move says that one register is copied whole to another of its kind.
	Move bool
}

// zeroed are the instructions that give zero, or all ones, of a register and itself.
var zeroed = words("xor sub pxor xorps xorpd pxord pxorq psubb psubw psubd psubq pcmpeqb pcmpeqw pcmpeqd pcmpeqq pcmpgtb pcmpgtw pcmpgtd pcmpgtq")

// comparisons write nothing but flags.
var comparisons = words("cmp test ucomisd ucomiss comisd comiss bt ptest kortestb kortestw kortestd kortestq ktestb ktestw")

// flagged are instructions of integers that write the flags.
var flagged = words(`add sub and or xor cmp test inc dec neg adc sbb shl shr sar rol ror shld shrd imul mul bt bts btr btc bsf bsr tzcnt lzcnt popcnt
	ucomisd ucomiss comisd comiss ptest kortestb kortestw kortestd kortestq ktestb ktestw andn bextr blsr blsi blsmsk bzhi cmpxchg xadd`)

// moves copy or widen: what they write does not depend on what was there.
var moves = words(`mov movzx movsx movd movq movaps movapd movups movupd movdqa movdqu movdqa32 movdqa64 movdqu8 movdqu16 movdqu32 movdqu64 lddqu
	movntps movntpd movntdq movntdqa movnti movddup movshdup movsldup movmskpd movmskps pmovmskb pshufd pshuflw pshufhw lea
	kmovb kmovw kmovd kmovq cvtdq2pd cvtdq2ps cvtps2pd cvtpd2ps cvttpd2dq cvttps2dq cvtpd2dq cvtps2dq cvttsd2si cvtsd2si cvttss2si cvtss2si
	sqrtpd sqrtps pabsb pabsw pabsd pextrb pextrw pextrd pextrq extractps roundpd roundps bsf bsr tzcnt lzcnt popcnt set
	rorx shlx shrx sarx blsr blsi blsmsk bzhi andn mulx`)

// keeping are AVX's instructions whose result depends on what their destination held.
var keeping = []string{"fmadd", "fmsub", "fnmadd", "fnmsub", "permt2", "permi2", "pternlog", "gather", "pgather"}

func words(text string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		m[w] = true
	}
	return m
}

// Effects finds what an instruction needs and changes.
func (x *Instruction) Effects() Effects {
	var e Effects
	e.implied(x)
	for i := range x.Operands {
		e.operand(x, i)
	}
	if len(x.Operands) >= 2 && zeroed[x.Mnemonic] && x.ofItself() {
		e.Zero, e.Reads = true, nil
	}
	if x.Condition != "" && (x.Mnemonic == "j" || x.Mnemonic == "cmov" || x.Mnemonic == "set") || x.Mnemonic == "adc" || x.Mnemonic == "sbb" {
		e.Reads = append(e.Reads, Flags)
	}
	if flagged[x.Mnemonic] {
		e.Writes = append(e.Writes, Flags)
	}
	e.Move = x.copies()
	return e
}

// ofItself says whether the two sources are one register.
func (x *Instruction) ofItself() bool {
	n := len(x.Operands)
	a, b := x.Operands[n-2], x.Operands[n-1]
	return a.Kind == InRegister && b.Kind == InRegister && a.Register == b.Register && a.Bytes == b.Bytes
}

// copies says whether an instruction only copies a register to another of its kind: cores do that by giving it another name.
func (x *Instruction) copies() bool {
	if len(x.Operands) != 2 || x.Operands[0].Kind != InRegister || x.Operands[1].Kind != InRegister || x.Operands[0].Mask != NoRegister {
		return false
	}
	switch x.Mnemonic {
	case "mov":
		return x.Bytes >= 4
	case "movaps", "movapd", "movups", "movupd", "movdqa", "movdqu", "movdqa32", "movdqa64", "movdqu32", "movdqu64":
		return true
	}
	return false
}

// implied takes in what an instruction needs or changes without naming it.
func (e *Effects) implied(x *Instruction) {
	switch x.Mnemonic {
	case "push", "call":
		e.Store = 8
		e.Address, e.Writes = append(e.Address, RSP), append(e.Writes, RSP)
	case "pop", "ret":
		e.Load = 8
		e.Address, e.Writes = append(e.Address, RSP), append(e.Writes, RSP)
	case "leave":
		e.Load = 8
		e.Address, e.Writes = append(e.Address, RBP), append(e.Writes, RSP, RBP)
	case "cdq", "cqo", "cwd":
		e.Reads, e.Writes = append(e.Reads, RAX), append(e.Writes, RDX)
	case "cdqe", "cwde", "cbw":
		e.Reads, e.Writes = append(e.Reads, RAX), append(e.Writes, RAX)
	case "div", "idiv":
		e.Reads, e.Writes = append(e.Reads, RAX, RDX), append(e.Writes, RAX, RDX)
	case "mul":
		e.Reads, e.Writes = append(e.Reads, RAX), append(e.Writes, RAX, RDX)
	case "imul":
		if len(x.Operands) == 1 {
			e.Reads, e.Writes = append(e.Reads, RAX), append(e.Writes, RAX, RDX)
		}
	case "mulx":
		e.Reads = append(e.Reads, RDX)
	case "stos":
		e.Store = x.Bytes
		e.Reads, e.Address, e.Writes = append(e.Reads, RAX, RCX), append(e.Address, RDI), append(e.Writes, RDI, RCX)
	case "movs":
		e.Load, e.Store = x.Bytes, x.Bytes
		e.Reads, e.Address, e.Writes = append(e.Reads, RCX), append(e.Address, RDI, RSI), append(e.Writes, RDI, RSI, RCX)
	case "blendvps", "blendvpd", "pblendvb":
		if !x.Vex {
			e.Reads = append(e.Reads, V0)
		}
	}
}

// operand takes in what an operand is read or written for.
func (e *Effects) operand(x *Instruction, i int) {
	o := &x.Operands[i]
	if o.Mask != NoRegister {
		e.Reads = append(e.Reads, o.Mask)
	}
	written := i == 0 && x.writes()
	read := i > 0 || x.readsFirst()
	switch o.Kind {
	case InRegister:
		if read {
			e.Reads = append(e.Reads, o.Register)
		}
		if written || i == 1 && (x.Mnemonic == "xchg" || x.Mnemonic == "xadd" || x.Mnemonic == "mulx") {
			e.Writes = append(e.Writes, o.Register)
		}
	case InMemory:
		e.memory(x, o, read, written)
	}
}

// memory takes in an operand in memory, or an address that is only calculated.
func (e *Effects) memory(x *Instruction, o *Operand, read, written bool) {
	to := &e.Address
	if x.Mnemonic == "lea" {
		to = &e.Reads
	}
	for _, r := range []Register{o.Base, o.Index} {
		if r != NoRegister && r != RIP {
			*to = append(*to, r)
		}
	}
	if x.Mnemonic == "lea" || x.Mnemonic == "nop" || strings.HasPrefix(x.Mnemonic, "prefetch") {
		return
	}
	bytes := max(o.Bytes, 1)
	if x.Mnemonic == "jmp" || x.Mnemonic == "call" {
		bytes = 8
	}
	if read {
		e.Load = bytes
	}
	if written {
		e.Store = bytes
	}
}

// writes says whether the first operand is written.
func (x *Instruction) writes() bool {
	switch x.Mnemonic {
	case "j", "jmp", "call", "ret", "push", "nop", "div", "idiv", "mul", "ldmxcsr":
		return false
	case "imul":
		return len(x.Operands) > 1
	}
	return !comparisons[x.Mnemonic]
}

// readsFirst says whether the first operand is read as well, or alone.
func (x *Instruction) readsFirst() bool {
	if x.Mnemonic == "pop" || len(x.Operands) == 0 {
		return false
	}
	if comparisons[x.Mnemonic] || !x.writes() {
		return true
	}
	first := &x.Operands[0]
	if first.Mask != NoRegister && !first.Zeroing && first.Kind == InRegister {
		return true
	}
	if moves[x.Mnemonic] {
		return false
	}
	if strings.HasPrefix(x.Mnemonic, "extract") || strings.HasPrefix(x.Mnemonic, "broadcast") || strings.HasPrefix(x.Mnemonic, "pbroadcast") ||
		strings.HasPrefix(x.Mnemonic, "pmov") || strings.Contains(x.Mnemonic, "scatter") {
		return false
	}
	if x.scalarMove() {
		return first.Kind == InRegister && x.Operands[len(x.Operands)-1].Kind == InRegister && !x.Vex
	}
	if x.Vex {
		for _, name := range keeping {
			if strings.HasPrefix(x.Mnemonic, name) {
				return true
			}
		}
		return false
	}
	return x.Mnemonic != "imul" || len(x.Operands) < 3
}

// scalarMove says whether an instruction moves one element.
func (x *Instruction) scalarMove() bool {
	switch x.Mnemonic {
	case "movsd", "movss":
		return true
	case "movhpd", "movlpd", "movhps", "movlps":
		return x.Operands[0].Kind == InMemory
	}
	return false
}

// Gathers tells instructions that load elements at the places that a vector holds.
func (x *Instruction) Gathers() bool { return strings.Contains(x.Mnemonic, "gather") }

// Gathered is how many elements such an instruction loads.
func (x *Instruction) Gathered() int { return int(x.Operands[0].Bytes) / elementWidth(x.Mnemonic) }

// Form is what instructions have in common that differ only in their registers, constants and addresses: the mnemonic, and of each operand
// its kind and size; what is in memory counts as a register of its size. r4 is an integer of four bytes, x, y and z are vectors of 16, 32
// and 64, k masks, i numbers, and m is memory where no register can be.
func (x *Instruction) Form() string {
	var s strings.Builder
	if x.Vex {
		s.WriteByte('v')
	}
	s.WriteString(x.Mnemonic)
	for i := range x.Operands {
		if i == 2 && x.Gathers() { // the mask
			break
		}
		if i == 0 {
			s.WriteByte(' ')
		} else {
			s.WriteByte(',')
		}
		s.WriteString(x.kind(&x.Operands[i]))
	}
	return s.String()
}

// kind is the letter of an operand in a form.
func (x *Instruction) kind(o *Operand) string {
	switch {
	case o.Kind == Immediate:
		return "i"
	case o.Kind == Label:
		return "l"
	case o.Kind == InRegister && o.Register.IsMask():
		return "k"
	case o.Kind == InRegister && o.Register.Vector():
		return vectorKind(o.Bytes)
	case o.Kind == InRegister:
		return "r" + string(rune('0'+o.Bytes))
	case x.Mnemonic == "lea":
		return addressKind(o)
	}
	if strings.Contains(x.Mnemonic, "si2") {
		return "r" + string(rune('0'+max(x.Bytes, 4)))
	}
	for i := range x.Operands { // as wide as the vectors beside it
		if other := &x.Operands[i]; other.Kind == InRegister && other.Register.Vector() && !x.Operands[0].Register.Integer() {
			return vectorKind(other.Bytes)
		}
	}
	return "r" + string(rune('0'+min(o.Bytes, 8)))
}

func vectorKind(bytes int) string {
	switch bytes {
	case 64:
		return "z"
	case 32:
		return "y"
	}
	return "x"
}

// addressKind tells simple from long calculations of addresses: a1 has one register, a2 two, a3 two and a number, or a scale.
func addressKind(o *Operand) string {
	n := 0
	for _, r := range []Register{o.Base, o.Index} {
		if r != NoRegister && r != RIP {
			n++
		}
	}
	if n == 2 && (o.Value != 0 || o.Symbol != "" || o.Scale > 1) {
		n = 3
	}
	return "a" + string(rune('0'+n))
}

// Uses says whether an operand is read, and whether it is written.
func (x *Instruction) Uses(operand int) (read, written bool) {
	if x.Mnemonic == "lea" || x.Mnemonic == "nop" || strings.HasPrefix(x.Mnemonic, "prefetch") {
		return false, false
	}
	return operand > 0 || x.readsFirst(), operand == 0 && x.writes() || operand == 1 && (x.Mnemonic == "xchg" || x.Mnemonic == "xadd")
}
