package instrument

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// Op is an operation of the optimised code.
type Op struct {
	Kind  string // fadd, fmul, fma, fdiv, fsqrt, fother, add, mul, div, branch, or call:NAME
	Type  string // f32, f64, f80, i32, i64 …
	Lanes int    // 1: scalar
}

// Ops counts operations.
type Ops map[Op]int

// String gives the counts in order, as ParseOps reads them.
func (o Ops) String() string {
	var all []string
	for op, n := range o {
		all = append(all, fmt.Sprintf("%s.%s.%d=%d", op.Kind, op.Type, op.Lanes, n))
	}
	sort.Strings(all)
	return strings.Join(all, ",")
}

// ParseOps reads what String gives.
func ParseOps(s string) (Ops, error) {
	o := Ops{}
	if s == "" {
		return o, nil
	}
	for part := range strings.SplitSeq(s, ",") {
		name, count, _ := strings.Cut(part, "=")
		n, err := strconv.Atoi(count)
		f := strings.Split(name, ".")
		if err != nil || len(f) < 3 || n < 0 {
			return nil, fmt.Errorf("operations %q: want KIND.TYPE.LANES=COUNT", part)
		}
		lanes, err := strconv.Atoi(f[len(f)-1])
		if err != nil || lanes < 1 {
			return nil, fmt.Errorf("operations %q: lanes", part)
		}
		o[Op{strings.Join(f[:len(f)-2], "."), f[len(f)-2], lanes}] += n
	}
	return o, nil
}

var opcodes = map[string]string{
	"fadd": "fadd", "fsub": "fadd", "fmul": "fmul", "fdiv": "fdiv", "frem": "fdiv", "fneg": "fother", "fcmp": "fother",
	"sitofp": "fother", "uitofp": "fother", "fptosi": "fother", "fptoui": "fother", "fpext": "fother", "fptrunc": "fother",
	"add": "add", "sub": "add", "and": "add", "or": "add", "xor": "add", "shl": "add", "lshr": "add", "ashr": "add",
	"icmp": "add", "select": "add",
	"mul": "mul", "sdiv": "div", "udiv": "div", "srem": "div", "urem": "div",
	"br": "branch", "switch": "branch", "ret": "branch",
	"shufflevector": "shuffle", "extractelement": "shuffle", "insertelement": "shuffle",
}

// words between an opcode and its type.
var opFlags = map[string]bool{
	"nsw": true, "nuw": true, "exact": true, "inbounds": true, "fast": true, "nnan": true, "ninf": true, "nsz": true, "arcp": true,
	"contract": true, "afn": true, "reassoc": true, "disjoint": true, "nneg": true, "nusw": true, "samesign": true,
	"tail": true, "musttail": true, "notail": true,
}

var comparison = regexp.MustCompile(`^(eq|ne|[us][lg][te]|[ou](eq|gt|ge|lt|le|ne)|ord|uno|true|false)$`)

// operation classifies an instruction; ok is false for what costs nothing or is no operation.
func operation(opcode, rest string) (op Op, ok bool) {
	kind, known := opcodes[opcode]
	if !known {
		return op, false
	}
	for {
		word, after, _ := strings.Cut(rest, " ")
		if !opFlags[word] && !comparison.MatchString(word) {
			break
		}
		rest = after
	}
	if kind == "branch" {
		return Op{kind, "i1", 1}, true
	}
	typ, _ := takeType(rest)
	n, element := lanes(typ)
	return Op{kind, scalarType(element), int(n)}, true
}

// scalarType is the type that operations on an element have, in the table's words.
func scalarType(element string) string {
	switch element {
	case "float":
		return "f32"
	case "double":
		return "f64"
	case "x86_fp80", "fp128", "ppc_fp128":
		return "f80"
	case "half", "bfloat":
		return "f16"
	}
	if strings.HasPrefix(element, "i") && !strings.HasSuffix(element, "*") {
		return element
	}
	return "i64"
}

// intrinsicOps are those of LLVM's intrinsics that compute.
var intrinsicOps = map[string]string{
	"fma": "fma", "fmuladd": "fma", "sqrt": "fsqrt", "fabs": "fother", "minnum": "fother", "maxnum": "fother", "minimum": "fother",
	"maximum": "fother", "copysign": "fother", "floor": "fother", "ceil": "fother", "trunc": "fother", "rint": "fother", "nearbyint": "fother", "round": "fother",
	"smin": "add", "smax": "add", "umin": "add", "umax": "add", "abs": "add", "ctpop": "add", "fshl": "add", "fshr": "add", "bswap": "add",
	"vector.reduce.fadd": "fadd", "vector.reduce.add": "add", "vector.reduce.fmul": "fmul", "vector.reduce.mul": "mul",
	"exp": "call:exp", "exp2": "call:exp2", "log": "call:log", "log2": "call:log2", "log10": "call:log10", "pow": "call:pow", "powi": "call:powi",
	"sin": "call:sin", "cos": "call:cos",
}

// intrinsic classifies a call of "llvm.NAME.v4f64", by the longest name known.
func intrinsic(name string) (op Op, ok bool) {
	suffix := strings.TrimPrefix(name, "llvm.")
	for base := suffix; base != ""; {
		if kind, known := intrinsicOps[base]; known {
			typ, n := suffixType(strings.TrimPrefix(suffix[len(base):], "."))
			return Op{kind, typ, n}, true
		}
		i := strings.LastIndexByte(base, '.')
		if i < 0 {
			break
		}
		base = base[:i]
	}
	return op, false
}

// suffixType reads "v4f64" or "f32.i32".
func suffixType(s string) (typ string, n int) {
	s, _, _ = strings.Cut(s, ".")
	n = 1
	if rest, ok := strings.CutPrefix(s, "v"); ok {
		digits := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
		if digits > 0 {
			if k, err := strconv.Atoi(rest[:digits]); err == nil && k > 0 {
				n, s = k, rest[digits:]
			}
		}
	}
	if s == "" {
		s = "i64"
	}
	return s, n
}

// mathCalls are functions of the C library that touch no memory of the program and call nothing back.
var mathCalls = map[string]bool{}

func init() {
	for name := range strings.FieldsSeq("acos asin atan atan2 cos sin tan cosh sinh tanh acosh asinh atanh exp exp2 expm1 log log2 log10 log1p pow sqrt cbrt hypot floor ceil round trunc rint fmod fabs fmin fmax erf erfc tgamma lgamma ldexp copysign nearbyint lround llround") {
		mathCalls[name] = true
		mathCalls[name+"f"] = true
		mathCalls[name+"l"] = true
	}
}

// mathType is the type of the arguments of a function of mathCalls.
func mathType(name string) (base, typ string) {
	base = name
	switch {
	case mathCalls[strings.TrimSuffix(name, "f")] && strings.HasSuffix(name, "f") && name != "erf":
		return strings.TrimSuffix(name, "f"), "f32"
	case mathCalls[strings.TrimSuffix(name, "l")] && strings.HasSuffix(name, "l") && name != "ceil":
		return strings.TrimSuffix(name, "l"), "f80"
	}
	return base, "f64"
}

// Call gives the function of an operation that is a call; the name is empty where it is not one of mathematics.
func (o Op) Call() (name string, ok bool) { return strings.CutPrefix(o.Kind, "call:") }

// Flops counts floating-point additions, products, quotients and roots; a fused multiply-add is two, a mathematical
// function one.
func (o Ops) Flops() int64 {
	n := int64(0)
	for op, count := range o {
		if !strings.HasPrefix(op.Type, "f") {
			continue
		}
		of := int64(count) * int64(op.Lanes)
		name, call := op.Call()
		switch {
		case op.Kind == "fma":
			n += 2 * of
		case op.Kind == "fadd", op.Kind == "fmul", op.Kind == "fdiv", op.Kind == "fsqrt", call && name != "":
			n += of
		}
	}
	return n
}
