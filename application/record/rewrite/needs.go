package rewrite

import (
	"strings"

	"foresee/application/assembly"
)

// registerSet is a set of integer registers.
type registerSet uint32

// allRegisters are all of them: whatever is not understood may need any.
const allRegisters registerSet = 1<<32 - 1

func setOf(all ...assembly.Register) (s registerSet) {
	for _, r := range all {
		if r.Integer() {
			s |= 1 << r
		}
	}
	return s
}

func (s registerSet) has(r assembly.Register) bool { return s>>r&1 != 0 }

// plain are instructions of integers that use no register but those of their operands and those that assembly.Instruction.Effects tells.
var plain = names(`mov movzx movsx movsxd movs lea add sub and or xor cmp test neg not inc dec imul mul idiv div shl shr sar rol ror shld shrd adc sbb cmov set xchg bt bts btr btc bsf bsr bswap
	tzcnt lzcnt popcnt andn bextr blsr blsi blsmsk bzhi rorx sarx shlx shrx mulx pdep pext cdq cqo cwd cdqe cwde cbw push pop leave nop movbe crc32 stos endbr64 zeroupper`)

// filling are those that only write a whole register, whose operand it is: it does not matter what was in it.
var filling = names("mov movzx movsx movsxd lea movd movq cvttsd2si cvtsd2si cvttss2si cvtss2si")

// understood says whether all registers are known that an instruction uses. Of vectors' instructions, those for texts and masked stores use some
// that they do not name.
func understood(x *assembly.Instruction) bool {
	if x.Opaque || x.Inline {
		return false
	}
	if plain[x.Mnemonic] {
		return true
	}
	for i := range x.Operands {
		o := &x.Operands[i]
		if o.Kind == assembly.InRegister && !o.Register.Integer() {
			return !strings.HasPrefix(x.Mnemonic, "pcmpe") && !strings.HasPrefix(x.Mnemonic, "pcmpi") && !strings.HasPrefix(x.Mnemonic, "maskmov")
		}
	}
	return false
}

// filled is the register that an instruction writes whole whatever was in it, the upper half of 64 bits with zeros where it writes 32.
func filled(x *assembly.Instruction) registerSet {
	if len(x.Operands) == 0 || x.Operands[0].Kind != assembly.InRegister || x.Operands[0].Bytes < 4 || x.Prefix != "" {
		return 0
	}
	r := setOf(x.Operands[0].Register)
	switch {
	case filling[x.Mnemonic] && len(x.Operands) == 2, x.Mnemonic == "pop":
		return r
	case x.Effects().Zero && (x.Mnemonic == "xor" || x.Mnemonic == "sub"):
		return r
	}
	return 0
}

// before is what is needed before an instruction where so much is needed behind it.
func before(x *assembly.Instruction, behind registerSet) registerSet {
	if !understood(x) {
		return allRegisters
	}
	if x.Mnemonic == "cdq" || x.Mnemonic == "cqo" {
		return behind&^setOf(assembly.RDX) | setOf(assembly.RAX)
	}
	e := x.Effects()
	fills := filled(x)
	reads := setOf(e.Reads...) | setOf(e.Address...) | setOf(e.Writes...)&^fills
	if fills != 0 { // its other operands, and addresses
		reads = setOf(e.Address...)
		for i := 1; i < len(x.Operands) && !e.Zero; i++ {
			o := &x.Operands[i]
			reads |= setOf(o.Register, o.Base, o.Index)
		}
	}
	return behind&^fills | reads
}

// needs says of each block of a file which registers code may read that are there where it begins. Functions are taken to need all registers when they
// are called, and to give all back: compilers know of a file's own functions which they change.
type needs struct {
	*liveness
	first map[*assembly.Block]registerSet
}

// newNeeds follows the registers through a file. What a block needs is what it needs whatever comes behind it, and of what is needed there that which it
// does not write itself.
func newNeeds(l *liveness, f *assembly.File) *needs {
	n := &needs{liveness: l, first: map[*assembly.Block]registerSet{}}
	type effect struct {
		*assembly.Block
		own, through registerSet
	}
	var all []effect
	for _, fn := range f.Functions {
		for _, b := range fn.Blocks {
			all = append(all, effect{b, through(b, 0, 0), through(b, 0, allRegisters)})
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(all) - 1; i >= 0; i-- {
			e := &all[i]
			if s := e.own | n.behind(e.Block)&e.through; s != n.first[e.Block] {
				n.first[e.Block], changed = s, true
			}
		}
	}
	return n
}

// through is what is needed before an instruction of a block where so much is needed behind the block. The jump that it ends by is behind it.
func through(b *assembly.Block, from int, s registerSet) registerSet {
	for i := len(b.Instructions) - 1; i >= from; i-- {
		x := b.Instructions[i]
		if i == len(b.Instructions)-1 && !x.Inline && (x.Mnemonic == "j" || x.Mnemonic == "jmp") {
			continue
		}
		s = before(x, s)
	}
	return s
}

// at are the registers that are needed before an instruction of a block.
func (n *needs) at(b *assembly.Block, from int) registerSet { return through(b, from, n.behind(b)) }

// behind is what is needed behind a block, wherever code goes from there.
func (n *needs) behind(b *assembly.Block) registerSet {
	s := allRegisters // a function's end, which code does not come to
	if next := n.next[b]; next != nil {
		s = n.first[next]
	}
	if len(b.Instructions) == 0 {
		return s
	}
	switch x := b.Instructions[len(b.Instructions)-1]; {
	case x.Mnemonic == "j" && !x.Inline:
		s |= n.target(x)
	case x.Mnemonic == "jmp" && !x.Inline:
		s = n.target(x)
		for _, o := range x.Operands {
			s |= setOf(o.Register, o.Base, o.Index)
		}
	}
	return s
}

// target is what the place needs that an instruction jumps to.
func (n *needs) target(x *assembly.Instruction) registerSet {
	if len(x.Operands) == 1 && x.Operands[0].Kind == assembly.Label {
		if b := n.blocks[x.Operands[0].Symbol]; b != nil {
			return n.first[b]
		}
	}
	return allRegisters
}
