package assembly

import (
	"regexp"
	"slices"
	"strings"
)

// conditions are what jumps, moves and sets ask of the flags, by all names, each as one name.
var conditions = map[string]string{
	"e": "e", "z": "e", "ne": "ne", "nz": "ne", "l": "l", "nge": "l", "ge": "ge", "nl": "ge", "le": "le", "ng": "le", "g": "g", "nle": "g",
	"b": "b", "c": "b", "nae": "b", "ae": "ae", "nb": "ae", "nc": "ae", "be": "be", "na": "be", "a": "a", "nbe": "a",
	"s": "s", "ns": "ns", "o": "o", "no": "no", "p": "p", "pe": "p", "np": "np", "po": "np",
}

// integerMnemonics are the instructions of integers, to which AT&T adds the letter of a size.
var integerMnemonics = func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(`mov add sub and or xor cmp test inc dec neg not imul mul div idiv shl sal shr sar rol ror rcl rcr
		shld shrd lea push pop adc sbb bt bts btr btc bsf bsr xchg cmpxchg xadd bswap lzcnt tzcnt popcnt andn bextr blsr blsi blsmsk bzhi
		rorx sarx shlx shrx mulx pdep pext adcx adox leave nop crc32 movbe`) {
		m[name] = true
	}
	return m
}()

// extensions are AT&T's names of those that widen the accumulator.
var extensions = map[string]string{"cbtw": "cbw", "cwtl": "cwde", "cltq": "cdqe", "cwtd": "cwd", "cltd": "cdq", "cqto": "cqo"}

var extensionBytes = map[string]int{"cbw": 2, "cwde": 4, "cdqe": 8, "cwd": 2, "cdq": 4, "cqo": 8}

var suffixes = map[byte]int{'b': 1, 'w': 2, 'l': 4, 'q': 8}

var (
	widening    = regexp.MustCompile(`^mov([sz])([bwl])([wlq])$`)
	stringWork  = regexp.MustCompile(`^(movs|stos|lods|scas|cmps)([bwldq])$`)
	comparison  = regexp.MustCompile(`^cmp(eq|lt|le|unord|neq|nlt|nle|ord|ge|gt|nge|ngt|eq_uq|neq_oq|true|false)(ps|pd|ss|sd)$`)
	comparisonI = regexp.MustCompile(`^pcmp(eq|lt|le|neq|nlt|nle|gt|ge)(u?[bwdq])$`)
	conversion  = regexp.MustCompile(`^(cvtt?s[sd]2u?si|cvtu?si2s[sd])([lq])$`)
)

// predicates are the comparisons by their number.
var predicates = []string{"eq", "lt", "le", "unord", "neq", "nlt", "nle", "ord", "eq_uq", "nge", "ngt", "false", "neq_oq", "ge", "gt", "true"}

// integerPredicates are AVX-512's comparisons of integers by their number.
var integerPredicates = []string{"eq", "lt", "le", "false", "neq", "nlt", "nle", "true"}

// named takes the mnemonic in: without the suffix of a size and without AVX's v, with the condition apart. The operands are there
// already, the destination first.
func (x *Instruction) named(name string, att bool) {
	vector := slices.ContainsFunc(x.Operands, func(o Operand) bool {
		return o.Kind == InRegister && !o.Register.Integer() || o.Index.Vector()
	})
	if !vector && x.integer(name, att) {
		return
	}
	if rest, ok := strings.CutPrefix(name, "v"); ok && name != "verr" && name != "verw" {
		x.Vex, name = true, rest
	}
	x.vector(name)
}

// integer names an instruction of integers or of control; false where it is none.
func (x *Instruction) integer(name string, att bool) bool {
	if c, ok := strings.CutPrefix(name, "j"); ok && name != "jmp" && name != "jmpq" {
		if x.Condition, ok = conditions[c]; ok {
			x.Mnemonic = "j"
			return true
		}
	}
	if c, ok := strings.CutPrefix(name, "set"); ok {
		if x.Condition, ok = conditions[c]; ok {
			x.Mnemonic, x.Bytes = "set", 1
			x.sized()
			return true
		}
	}
	if c, ok := strings.CutPrefix(name, "cmov"); ok {
		x.Mnemonic = "cmov"
		if x.Condition, ok = conditions[c]; !ok && c != "" {
			x.Condition, x.Bytes = conditions[c[:len(c)-1]], suffixes[c[len(c)-1]]
		}
		x.sized()
		return x.Condition != ""
	}
	if m := widening.FindStringSubmatch(name); m != nil && att && len(x.Operands) == 2 {
		x.Mnemonic, x.Bytes = "mov"+m[1]+"x", suffixes[m[3][0]]
		x.Operands[0].Bytes, x.Operands[1].Bytes = x.Bytes, suffixes[m[2][0]]
		return true
	}
	if m := stringWork.FindStringSubmatch(name); m != nil && x.impliesOperands() {
		x.Operands = nil // there is no choice of them
		x.Mnemonic, x.Bytes = m[1], map[string]int{"b": 1, "w": 2, "l": 4, "d": 4, "q": 8}[m[2]]
		return true
	}
	return x.plainInteger(name, att)
}

// impliesOperands says whether an instruction has no operands, or such as clang writes of those that work on strings: %es:(%rdi).
func (x *Instruction) impliesOperands() bool {
	return len(x.Operands) == 0 || slices.ContainsFunc(x.Operands, func(o Operand) bool { return strings.HasPrefix(o.Text, "%es:(") })
}

// plainInteger names an instruction that only may have the letter of a size.
func (x *Instruction) plainInteger(name string, att bool) bool {
	if other, ok := extensions[name]; ok {
		name = other
	}
	if n, ok := extensionBytes[name]; ok && len(x.Operands) == 0 {
		x.Mnemonic, x.Bytes = name, n
		return true
	}
	switch name {
	case "movabs", "movabsq":
		name, x.Bytes = "mov", 8
	case "movzx", "movsx", "movsxd":
		x.Mnemonic = name[:4] + "x"
		x.sized()
		return true
	case "callq", "retq", "jmpq":
		name = name[:len(name)-1]
	}
	switch name {
	case "call", "ret", "jmp", "ud2", "endbr64", "endbr32", "cpuid", "rdtsc", "rdtscp", "pause", "syscall", "hlt", "int3", "lfence", "mfence", "sfence":
		x.Mnemonic = name
		return true
	}
	if !integerMnemonics[name] {
		if !att || len(name) < 3 || !integerMnemonics[name[:len(name)-1]] {
			return false
		}
		n, ok := suffixes[name[len(name)-1]]
		if !ok {
			return false
		}
		name, x.Bytes = name[:len(name)-1], n
	}
	if name == "sal" {
		name = "shl"
	}
	x.Mnemonic = name
	x.sized()
	return true
}

// sized gives every operand of an instruction of integers its size.
func (x *Instruction) sized() {
	if x.Bytes == 0 {
		for _, o := range x.Operands {
			if o.Bytes > 0 {
				x.Bytes = o.Bytes // the destination's, which comes first
				break
			}
		}
	}
	if x.Mnemonic == "push" || x.Mnemonic == "pop" || x.Mnemonic == "leave" {
		x.Bytes = 8
	}
	for i := range x.Operands {
		if o := &x.Operands[i]; o.Bytes == 0 {
			o.Bytes = x.Bytes
		}
	}
}

// vector names an instruction of floating point, vectors or masks.
func (x *Instruction) vector(name string) {
	x.Mnemonic = name
	if m := conversion.FindStringSubmatch(name); m != nil {
		x.Mnemonic, x.Bytes = m[1], suffixes[m[2][0]]
	}
	if strings.HasPrefix(x.Mnemonic, "cvt") && strings.Contains(x.Mnemonic, "si") && x.Bytes == 0 {
		x.Bytes = x.integerBytes()
	}
	if m := comparison.FindStringSubmatch(name); m != nil {
		x.Mnemonic, x.Condition = "cmp"+m[2], m[1]
	}
	if m := comparisonI.FindStringSubmatch(name); m != nil && m[1] != "eq" && (m[1] != "gt" || strings.HasPrefix(m[2], "u")) {
		x.Mnemonic, x.Condition = "pcmp"+m[2], m[1]
	}
	if numbers := x.numbered(name); numbers != nil && len(x.Operands) > 0 {
		last := &x.Operands[len(x.Operands)-1]
		if last.Kind == Immediate && last.Value >= 0 && int(last.Value) < len(numbers) {
			x.Condition = numbers[last.Value]
			x.Operands = x.Operands[:len(x.Operands)-1]
		}
	}
	width := 0
	for _, o := range x.Operands {
		if o.Kind == InRegister && o.Register.Vector() {
			width = max(width, o.Bytes)
		}
	}
	for i := range x.Operands {
		o := &x.Operands[i]
		switch {
		case o.Kind == InMemory && o.Spread > 0:
			o.Bytes = width / o.Spread
		case o.Kind == InMemory && o.Bytes == 0:
			o.Bytes = x.accessed(width)
		}
	}
}

// integerBytes is the size of the integer that a conversion is from or to.
func (x *Instruction) integerBytes() int {
	for i := range x.Operands {
		if o := &x.Operands[i]; o.Kind == InRegister && o.Register.Integer() || o.Kind == InMemory && strings.Contains(x.Mnemonic, "si2") && o.Bytes > 0 {
			return o.Bytes
		}
	}
	return 4
}

// numbered are the predicates of a comparison whose predicate is a number; nil for all others.
func (x *Instruction) numbered(name string) []string {
	switch name {
	case "cmpps", "cmppd", "cmpss", "cmpsd":
		return predicates
	case "pcmpb", "pcmpw", "pcmpd", "pcmpq", "pcmpub", "pcmpuw", "pcmpud", "pcmpuq":
		return integerPredicates
	}
	return nil
}
