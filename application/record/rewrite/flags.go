package rewrite

import (
	"strings"

	"foresee/application/assembly"
)

// flagReaders are the instructions that work with flags which others left.
var flagReaders = names("j cmov set adc sbb adcx adox rcl rcr lahf pushf pushfq cmc salc fcmovb fcmove fcmovbe fcmovu fcmovnb fcmovne fcmovnbe fcmovnu")

// flagWriters leave no flag as it was, or leave it undefined, which no compiler relies on.
var flagWriters = names(`add sub and or xor cmp test neg imul mul idiv div shld shrd popcnt lzcnt tzcnt bsf bsr ucomisd ucomiss comisd comiss ptest testps testpd
	kortestb kortestw kortestd kortestq ktestb ktestw ktestd ktestq andn bextr blsr blsi blsmsk bzhi cmpxchg xadd call ret`)

func names(text string) map[string]bool {
	m := map[string]bool{}
	for n := range strings.FieldsSeq(text) {
		m[n] = true
	}
	return m
}

// effect on the flags of an instruction.
type flagEffect int

const (
	flagsKept flagEffect = iota
	flagsRead
	flagsWritten
)

// flagsOf is what an instruction does with the flags; what is not understood is taken to read them. Assembly that people wrote cannot be given
// flags, and is taken to change them, as compilers take it.
func flagsOf(x *assembly.Instruction) flagEffect {
	switch {
	case x.Opaque && x.Inline:
		return flagsWritten
	case x.Opaque && !strings.HasPrefix(x.Mnemonic, "f") && !strings.HasPrefix(x.Mnemonic, "."), flagReaders[x.Mnemonic], strings.HasPrefix(x.Mnemonic, "fcmov"):
		return flagsRead
	case flagWriters[x.Mnemonic], x.Mnemonic == "shl" || x.Mnemonic == "shr" || x.Mnemonic == "sar":
		return shifted(x)
	}
	return flagsKept
}

// shifted is the effect of an instruction that writes flags unless it shifts by zero.
func shifted(x *assembly.Instruction) flagEffect {
	if x.Mnemonic[0] != 's' || x.Mnemonic == "sub" {
		return flagsWritten
	}
	if len(x.Operands) == 1 { // by one
		return flagsWritten
	}
	if o := &x.Operands[len(x.Operands)-1]; o.Kind == assembly.Immediate && o.Symbol == "" && o.Value&31 != 0 {
		return flagsWritten
	}
	return flagsKept
}

// liveness says of each block of a file whether code may read the flags that are there where it begins.
type liveness struct {
	blocks map[string]*assembly.Block // by label
	next   map[*assembly.Block]*assembly.Block
	live   map[*assembly.Block]bool
}

// newLiveness follows the flags through a file: a block needs them where it reads them before it writes them, or where what may follow does.
func newLiveness(f *assembly.File) *liveness {
	l := &liveness{blocks: map[string]*assembly.Block{}, next: map[*assembly.Block]*assembly.Block{}, live: map[*assembly.Block]bool{}}
	var all []*assembly.Block
	for _, fn := range f.Functions {
		for i, b := range fn.Blocks {
			for _, name := range b.Labels {
				l.blocks[name] = b
			}
			if i+1 < len(fn.Blocks) {
				l.next[b] = fn.Blocks[i+1]
			}
			all = append(all, b)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(all) - 1; i >= 0; i-- {
			if b := all[i]; !l.live[b] && l.at(b, 0) {
				l.live[b], changed = true, true
			}
		}
	}
	return l
}

// at says whether the flags may be read that are there before an instruction of a block.
func (l *liveness) at(b *assembly.Block, from int) bool {
	for _, x := range b.Instructions[from:] {
		switch flagsOf(x) {
		case flagsRead:
			return true
		case flagsWritten:
			return false
		}
		if x.Mnemonic == "jmp" {
			return l.jump(x)
		}
	}
	if next := l.next[b]; next != nil {
		return l.live[next]
	}
	return false // a function's end, which code does not come to
}

// jump is what the place needs that an unconditional jump goes to: nothing where that is another function, which flags are not given to.
func (l *liveness) jump(x *assembly.Instruction) bool {
	o := &x.Operands
	if len(*o) != 1 || (*o)[0].Kind != assembly.Label {
		return true // through a table
	}
	to, here := l.blocks[(*o)[0].Symbol]
	return here && l.live[to]
}
