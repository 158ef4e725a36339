package lower

import (
	"slices"
	"strconv"
	"strings"

	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// kinds are the operations on data.
var kinds = map[string]nest.Kind{
	"add": nest.Add, "sub": nest.Add, "fadd": nest.Add, "fsub": nest.Add, "mul": nest.Mul, "fmul": nest.Mul,
	"sdiv": nest.Div, "udiv": nest.Div, "srem": nest.Div, "urem": nest.Div, "fdiv": nest.Div, "frem": nest.Div,
	"and": nest.Logic, "or": nest.Logic, "xor": nest.Logic, "shl": nest.Logic, "lshr": nest.Logic, "ashr": nest.Logic,
	"icmp": nest.Compare, "fcmp": nest.Compare, "select": nest.Select, "fneg": nest.Select,
	"fptrunc": nest.Convert, "fpext": nest.Convert, "fptoui": nest.Convert, "fptosi": nest.Convert, "uitofp": nest.Convert, "sitofp": nest.Convert,
}

// typeOf is the type that operations on a type have; of a vector that of its elements.
func typeOf(t *text.Type) nest.Type {
	for t != nil && (t.Kind == text.Vector || t.Kind == text.Array) {
		t = t.Elem
	}
	switch {
	case t != nil && t.Kind == text.Float && t.Bits <= 32:
		return nest.F32
	case t != nil && t.Kind == text.Float:
		return nest.F64
	case t != nil && t.Kind == text.Int && t.Bits <= 32:
		return nest.I32
	}
	return nest.I64
}

// instruction follows an instruction and gives its result.
func (l *lowerer) instruction(f *frame, in *text.Inst) val {
	switch in.Op {
	case "dbg.value", "dbg.declare":
		l.named(f, in)
		return val{}
	case "dbg.assign", "dbg.label":
		if len(in.Args) > 4 {
			l.named(f, &text.Inst{Args: []text.Operand{in.Args[4], in.Args[1], in.Args[2]}})
		}
		return val{}
	case "load":
		return l.load(f, in)
	case "store":
		l.store(f, in)
		return val{}
	case "alloca":
		return l.alloca(f, in)
	case "call", "invoke", "callbr":
		return l.call(f, in)
	case "atomicrmw", "cmpxchg":
		return l.atomic(f, in)
	case "fence", "landingpad", "va_arg":
		return unknown("it depends on data")
	}
	if in.Type != nil && (in.Type.Kind == text.Int || in.Type.Kind == text.Pointer || in.Type.Kind == text.Struct || in.Type.Kind == text.Array) {
		if v := l.compute(f, in); v.kind != data || in.Op == "getelementptr" || !l.readsData(f, in) {
			return v
		}
	}
	return l.operation(f, in)
}

// readsData tells whether an operand is a value that the program computes, rather than one that is not followed.
func (l *lowerer) readsData(f *frame, in *text.Inst) bool {
	for _, a := range in.Args {
		if v := l.operand(f, a); v.kind == data && v.flow.Kind != nest.Const {
			return true
		}
	}
	return false
}

// operation adds an operation on data to the statement.
func (l *lowerer) operation(f *frame, in *text.Inst) val {
	kind, ok := kinds[in.Op]
	if !ok { // vectors put together, conversions that cost nothing
		for _, a := range in.Args {
			if v := l.operand(f, a); v.kind == data && v.flow.Kind != nest.Const {
				return v
			}
		}
		return unknown("it depends on data")
	}
	t := typeOf(in.Type)
	if kind == nest.Compare && len(in.Args) > 0 {
		t = typeOf(in.Args[0].Type)
	}
	op := nest.Operation{Kind: kind, Type: t, Minus: in.Op == "sub" || in.Op == "fsub", OrEqual: kind == nest.Compare && strings.HasSuffix(in.Pred, "e") && in.Pred != "ne" && in.Pred != "one" && in.Pred != "une"}
	return l.operate(f, in, op, in.Args...)
}

// operate appends an operation and gives its result.
func (l *lowerer) operate(f *frame, in *text.Inst, op nest.Operation, args ...text.Operand) val {
	s := l.at(in)
	why := "it is computed of data"
	if op.Kind == nest.Convert && len(args) > 0 {
		op.From = typeOf(args[0].Type)
	}
	for _, a := range args {
		v := l.operand(f, a)
		op.Args = append(op.Args, l.flowOf(v))
		if v.kind == data && v.why != "" && v.why != undefined {
			why = v.why
		}
	}
	s.Flow = append(s.Flow, op)
	return l.kept(f, in, val{flow: nest.Value{Kind: nest.Temp, N: len(s.Flow) - 1}, stmt: s, why: why})
}

// counts tells what changes with the counter of the innermost loop.
func (l *lowerer) counts(e *expr.Expr) (found bool) {
	if n := len(l.counters); n > 0 {
		e.EachVar(func(v expr.Var) { found = found || v == l.counters[n-1] })
	}
	return found
}

// flowOf is a value as an operation of the present statement reads it.
func (l *lowerer) flowOf(v val) nest.Value {
	switch {
	case v.kind == integer && l.counts(v.e):
		return nest.Value{Kind: nest.Const, N: nest.Counter}
	case v.kind != data || v.flow.Kind == nest.None:
		return nest.Value{Kind: nest.Const}
	case v.flow.Kind != nest.Temp && v.flow.Kind != nest.Load, v.stmt != nil && v.stmt == l.stmt:
		return v.flow
	case v.keep > 0:
		return nest.Value{Kind: nest.Scalar, N: v.keep - 1}
	}
	return nest.Value{Kind: nest.Const}
}

// kept sends a result to a scalar where it is read beyond its block.
func (l *lowerer) kept(f *frame, in *text.Inst, v val) val {
	if in.Name == "" || !f.crosses(in.Name) {
		return v
	}
	n := l.scalarOf(f, in.Name)
	l.send(in, v, nest.Value{Kind: nest.Scalar, N: n})
	v.keep = n + 1
	return v
}

// crosses tells whether a value is read in another block than its own, or by a phi.
func (f *frame) crosses(name string) bool {
	home := f.home[name]
	for _, u := range f.uses[name] {
		if u.at != home || u.in.Op == "phi" {
			return true
		}
	}
	return false
}

// send gives a value to a scalar or a store: by the operation that makes it, or by one of its own.
func (l *lowerer) send(in *text.Inst, v val, to nest.Value) {
	s := l.at(in)
	from := l.flowOf(v)
	if from.Kind == nest.Temp && s.Flow[from.N].Out.Kind == nest.None {
		s.Flow[from.N].Out = to
		return
	}
	t := typeOf(in.Type)
	if in.Op == "store" {
		t = typeOf(in.Args[0].Type)
	}
	s.Flow = append(s.Flow, nest.Operation{Kind: nest.Move, Type: t, Args: []nest.Value{from}, Out: to})
}

// scalarOf is the scalar that holds a value; a phi and what comes to it share one.
func (l *lowerer) scalarOf(f *frame, name string) int {
	class := f.class(name)
	n, ok := f.scalar[class]
	if !ok {
		n = len(l.scalars)
		label := f.names[name]
		if label == "" {
			label = f.names[class]
		}
		if label == "" {
			label = "tmp" + strconv.Itoa(n)
		}
		l.scalars = append(l.scalars, label)
		f.scalar[class] = n
	}
	return n
}

// class is the value that stands for all that share a scalar.
func (f *frame) class(name string) string {
	for {
		next, ok := f.classes[name]
		if !ok {
			return name
		}
		name = next
	}
}

// classify joins phis with what comes to them.
func (f *frame) classify() {
	f.classes = map[string]string{}
	for _, b := range f.blocks {
		for _, in := range b.Insts {
			if in.Op != "phi" {
				continue
			}
			for _, a := range in.Args {
				if a.Kind != text.Local {
					continue
				}
				if x, y := f.class(a.Name), f.class(in.Name); x != y {
					f.classes[x] = y
				}
			}
		}
	}
}

// named gives the objects that a variable of the source points at, or is, the variable's name.
func (l *lowerer) named(f *frame, in *text.Inst) {
	v, _, ok := l.m.Described(in)
	if !ok || v.Name == "this" || systemFile(v.Function.File) || in.Args[0].Kind != text.Local {
		return
	}
	if f.names[in.Args[0].Name] == "" {
		f.names[in.Args[0].Name] = v.Name
	}
	l.give(f, in, v)
	if len(in.Args) > 2 && (strings.Contains(in.Args[2].Name, "plus_uconst") || strings.Contains(in.Args[2].Name, "stack_value")) {
		return
	}
	x := f.vals[in.Args[0].Name]
	if x.kind == pointer && x.o != nil && x.o.Name == "" && (x.e.Op == expr.OpConst && x.e.K == 0) {
		x.o.Name, x.o.debug = l.distinct(l.fragment(in, v)), v.Type
	}
}

// give gives an integer variable that is not known the value that the caller has for its name.
func (l *lowerer) give(f *frame, in *text.Inst, v text.Variable) {
	if len(in.Args) > 2 && in.Args[2].Name != "DIExpression( )" {
		return
	}
	l.name(f, in.Args[0], []string{v.Name})
}

// name gives an integer that is not known the value that the caller has for one of some names, else what a text holds is asked for by the first of them.
func (l *lowerer) name(f *frame, a text.Operand, names []string) {
	if a.Kind != text.Local || a.Type == nil || a.Type.Kind != text.Int || f.vals[a.Name].kind != data || len(names) == 0 {
		return
	}
	if in := f.makes[a.Name]; in != nil && (in.Op == "trunc" || in.Op == "sext" || in.Op == "zext") && slices.Contains(ofTexts, f.vals[a.Name].why) {
		l.name(f, in.Args[0], names) // which may be used by itself
	}
	if v, there := l.definedAs(names); there {
		f.vals[a.Name] = v
	} else if v := f.vals[a.Name]; slices.Contains(ofTexts, v.why) {
		v.why = askFor + names[0]
		f.vals[a.Name] = v
	}
}

// resultOf begins the reason of what a function of a library gives.
const resultOf = "it is the result of "

// ofTexts are the reasons of numbers that are not known because a text holds them, such as an argument of the program.
var ofTexts = []string{resultOf + "strtol", resultOf + "strtoll", resultOf + "strtoul", resultOf + "strtoull", resultOf + "atoi", resultOf + "atol", resultOf + "__isoc23_strtol"}

// fragment names a variable, or that member of it which the value is.
func (l *lowerer) fragment(in *text.Inst, v text.Variable) string {
	if len(in.Args) < 3 {
		return v.Name
	}
	_, rest, ok := strings.Cut(in.Args[2].Name, "DW_OP_LLVM_fragment")
	if numbers := strings.FieldsFunc(rest, func(r rune) bool { return r < '0' || r > '9' }); ok && len(numbers) > 0 {
		if bit, err := strconv.ParseInt(numbers[0], 10, 64); err == nil {
			return joined(v.Name, plainMember(l.m.Member(v.Type, bit/8)))
		}
	}
	return v.Name
}

// joined names a member of a variable; what this points at has no name of its own.
func joined(name, member string) string {
	switch {
	case member == "":
		return name
	case name == "this":
		return member
	}
	return name + "." + member
}

// distinct is a name that no other object of the program has.
func (l *lowerer) distinct(name string) string {
	for n := 1; ; n++ {
		try := name
		if n > 1 {
			try = name + "#" + strconv.Itoa(n)
		}
		if !l.taken[try] {
			l.taken[try] = true
			return try
		}
	}
}
