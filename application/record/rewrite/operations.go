package rewrite

import (
	"regexp"
	"strings"

	"foresee/application/assembly"
	"foresee/application/record/instrument"
)

// arithmetic are instructions of floating point: what they do, and on what.
var arithmetic = regexp.MustCompile(`^(add|sub|mul|div|sqrt|max|min|fn?madd\d+|fn?msub\d+|haddp?|u?comi|cmp)([ps])([sd])$`)

// operations are what an instruction counts as, as package instrument counts them.
func operations(x *assembly.Instruction) []instrument.Op {
	if m := arithmetic.FindStringSubmatch(x.Mnemonic); m != nil {
		return []instrument.Op{floating(x, m[1], m[2] == "p", m[3] == "d")}
	}
	switch x.Mnemonic {
	case "j", "jmp", "ret":
		return []instrument.Op{{Kind: "branch", Type: "i64", Lanes: 1}}
	case "call":
		return []instrument.Op{{Kind: "call:", Type: "i64", Lanes: 1}}
	case "add", "sub", "and", "or", "xor", "cmp", "test", "inc", "dec", "neg", "not", "shl", "shr", "sar", "lea", "adc", "sbb", "cmov", "set":
		return []instrument.Op{{Kind: "add", Type: whole(x), Lanes: 1}}
	case "imul", "mul", "mulx":
		return []instrument.Op{{Kind: "mul", Type: whole(x), Lanes: 1}}
	case "idiv", "div":
		return []instrument.Op{{Kind: "div", Type: whole(x), Lanes: 1}}
	}
	return nil
}

// floating is an operation of floating point on one number or a vector of them.
func floating(x *assembly.Instruction, name string, packed, double bool) instrument.Op {
	op := instrument.Op{Kind: "fadd", Type: "f32", Lanes: 1}
	bytes := 4
	if double {
		op.Type, bytes = "f64", 8
	}
	if packed && len(x.Operands) > 0 {
		op.Lanes = max(1, x.Operands[0].Bytes/bytes)
	}
	switch {
	case strings.HasPrefix(name, "fm"), strings.HasPrefix(name, "fn"):
		op.Kind = "fma"
	case name == "mul", name == "div", name == "sqrt":
		op.Kind = "f" + name
	case strings.HasSuffix(name, "comi"), name == "cmp", name == "max", name == "min":
		op.Kind = "fother"
	}
	return op
}

// whole is the type of an instruction of integers.
func whole(x *assembly.Instruction) string {
	if x.Bytes == 4 {
		return "i32"
	}
	return "i64"
}
