package codegen

import (
	"fmt"
	"slices"
	"strings"

	"foresee/application/nest"
)

// binary is what operations of floating point are called.
var binary = map[nest.Kind]string{nest.Add: "add", nest.Mul: "mul", nest.Div: "div", nest.Select: "max", nest.Logic: "and"}

// powerOfTwo is a constant by which nothing need be divided.
var powerOfTwo = nest.Value{Kind: nest.Const, N: nest.PowerOfTwo}

// counter is what the counter of the innermost loop makes.
var counter = nest.Value{Kind: nest.Const, N: nest.Counter}

// call is one of a function of the C library.
func (g *body) call(op *nest.Operation, r *result) {
	for i, a := range op.Args {
		if i > 1 || !op.Type.IsFloat() {
			break
		}
		if v := g.value(a, op.Type); v != vector(i, sse) {
			g.emit("vmovapd %s, %s", v, vector(i, sse))
		}
	}
	name := op.Name
	if op.Type == nest.F32 { // the nests have the name of the function of doubles
		name += "f"
	}
	g.emit("call %s", name)
	r.register = g.destination(op)
	g.copy(op.Type, g.resultOfCall(op.Type), r.register)
}

func (g *body) resultOfCall(t nest.Type) string {
	if t.IsFloat() {
		return vector(0, sse)
	}
	if t == nest.I32 {
		return "%eax"
	}
	return "%rax"
}

// compare sets the flags, or in vectors a mask.
func (g *body) compare(op *nest.Operation, r *result) {
	if len(op.Args) == 0 {
		return
	}
	b := op.Args[len(op.Args)-1]
	first := g.value(op.Args[0], op.Type)
	switch {
	case g.lanes > 1 && op.Type.IsFloat():
		r.register = g.fresh(op.Type)
		g.emit("vcmp%s $1, %s, %s, %s", g.suffix(op.Type), g.value(b, op.Type), first, r.register)
	case g.lanes > 1:
		r.register = g.fresh(op.Type)
		g.emit("vpcmpeqd %s, %s, %s", g.value(b, op.Type), first, r.register)
	case op.Type.IsFloat():
		g.emit("vucomi%s %s, %s", g.suffix(op.Type), g.value(b, op.Type), first)
	default:
		if first == number {
			first = integer("8", op.Type)
		}
		g.emit("cmp%s %s, %s", g.wide(op.Type), g.value(b, op.Type), first)
	}
	if op.Out.Kind != nest.None {
		r.register = integer(g.newInteger(), nest.I32)
		g.emit("setl %%r%sb", integers[g.integer])
		g.finish(op, r.register)
	}
}

func (g *body) wide(t nest.Type) string {
	if t == nest.I64 {
		return "q"
	}
	return "l"
}

// float is an operation of floating point.
func (g *body) float(op *nest.Operation, r *result) {
	switch {
	case g.lanes > 1 && !g.target.Fast && g.addsInOrder(op, r):
	case op.Kind == nest.Sqrt && len(op.Args) == 1:
		v := g.value(op.Args[0], op.Type)
		r.register = g.destination(op)
		if g.lanes > 1 {
			g.emit("vsqrt%s %s, %s", g.suffix(op.Type), v, r.register)
		} else {
			g.emit("vsqrt%s %s, %s, %s", g.suffix(op.Type), v, v, r.register)
		}
	case op.Kind == nest.Select && len(op.Args) == 1:
		v := g.value(op.Args[0], op.Type)
		r.register = g.destination(op)
		g.emit("vandp%s %s, %s, %s", g.scalarSuffix(op.Type)[1:], g.constant(op.Type), v, r.register)
	case op.Kind == nest.FMA && !g.target.FMA:
		g.call(&nest.Operation{Kind: nest.Call, Type: op.Type, Name: "fma", Args: op.Args, Out: op.Out}, r)
	case op.Kind == nest.FMA && len(op.Args) == 3:
		a, b, c := g.value(op.Args[0], op.Type), g.value(op.Args[1], op.Type), g.value(op.Args[2], op.Type)
		r.register = g.destination(op)
		if c != r.register {
			g.copy(op.Type, c, r.register)
		}
		g.emit("vfmadd231%s %s, %s, %s", g.suffix(op.Type), a, b, r.register)
	case len(op.Args) == 2 && op.Kind == nest.Add && g.fused(op, r):
	case len(op.Args) == 2:
		g.two(op, r)
	default:
		for _, a := range op.Args {
			r.register = g.value(a, op.Type)
		}
	}
}

// addsInOrder adds the numbers of a vector to a sum one after the other.
func (g *body) addsInOrder(op *nest.Operation, r *result) bool {
	n, ok := addsTo(op)
	if !ok || !g.ordered[n] {
		return false
	}
	added := op.Args[1]
	if added == op.Out {
		added = op.Args[0]
	}
	v := g.value(added, op.Type)
	h := g.scalars[n]
	sum := vector(h.register, sse)
	if h.stack {
		sum = vector(g.newTemp(), sse)
		g.emit("vmov%s %s, %s", g.scalarSuffix(op.Type), g.onStack(h.slot), sum)
	}
	name := "vadd"
	if op.Minus {
		name = "vsub"
	}
	add := func(of string) { g.emit("%s%s %s, %s, %s", name, g.scalarSuffix(op.Type), of, sum, sum) }
	part := strings.Replace(strings.Replace(v, "%y", "%x", 1), "%z", "%x", 1)
	extract := "vextractf128"
	if g.width > avx2 {
		extract = "vextractf64x2"
	}
	perRegister := int(sse / sizeOf(op.Type))
	for i := range int(g.lanes) {
		next := vector(firstTemp, sse)
		switch {
		case i == 0:
			add(part)
			continue
		case i%perRegister == 0:
			g.emit("%s $%d, %s, %s", extract, i/perRegister, v, next)
			part = next
		default:
			g.emit("vunpckhp%s %s, %s, %s", g.scalarSuffix(op.Type)[1:], part, part, next)
		}
		add(next)
	}
	if h.stack {
		g.emit("vmov%s %s, %s", g.scalarSuffix(op.Type), sum, g.onStack(h.slot))
	}
	r.register = ""
	return true
}

// fused adds a product.
func (g *body) fused(op *nest.Operation, r *result) bool {
	for k, a := range op.Args {
		if a.Kind != nest.Temp || g.temps[a.N].product == nil {
			continue
		}
		sum := g.value(op.Args[1-k], op.Type)
		r.register = g.destination(op)
		if sum != r.register {
			g.copyUnlessDying(op.Args[1-k], op.Type, sum, r)
		}
		g.uses[a.N]--
		x, y := g.temps[a.N].factors()
		name := "vfmadd231"
		switch {
		case op.Minus && k == 1:
			name = "vfnmadd231"
		case op.Minus:
			name = "vfmsub231"
		}
		g.emit("%s%s %s, %s, %s", name, g.suffix(op.Type), x, y, r.register)
		return true
	}
	return false
}

// copyUnlessDying puts a value where an instruction is to overwrite it: a temp that nobody wants any more is overwritten where it is, if the result
// has no place of its own.
func (g *body) copyUnlessDying(v nest.Value, t nest.Type, from string, r *result) {
	if v.Kind == nest.Temp && g.uses[v.N] <= 0 && r.of.Out.Kind != nest.Scalar {
		r.register = from
		return
	}
	g.copy(t, from, r.register)
}

// two is an operation of two operands, the second of which may be in memory.
func (g *body) two(op *nest.Operation, r *result) {
	a, b := op.Args[0], op.Args[1]
	swaps := !op.Minus && op.Kind != nest.Div
	if swaps && g.inMemory(a) && !g.inMemory(b) {
		a, b = b, a
	}
	overwritten := a.Kind == nest.Temp && g.uses[a.N] == 1 || swaps && b.Kind == nest.Temp && g.uses[b.N] == 1 || a.Kind == nest.Load || a == op.Out
	x := g.value(a, op.Type)
	inMemory := g.inMemory(b)
	y := ""
	if !inMemory {
		y = g.value(b, op.Type)
	}
	r.register = g.destination(op)
	if g.target.Vector < avx2 && !overwritten && x != r.register && (!swaps || y != r.register) { // two operands: one must be copied
		g.copy(op.Type, x, g.name(firstTemp))
	}
	if inMemory {
		y = g.operandInMemory(b)
	}
	name := binary[op.Kind]
	switch {
	case op.Minus:
		name = "sub"
	case op.Kind == nest.Div && b == powerOfTwo:
		name = "mul"
	}
	if op.Kind == nest.Logic {
		g.emit("vandp%s %s, %s, %s", g.scalarSuffix(op.Type)[1:], y, x, r.register)
		return
	}
	g.emit("v%s%s %s, %s, %s", name, g.suffix(op.Type), y, x, r.register)
}

// packedIntegers is an operation on vectors of integers.
func (g *body) packedIntegers(op *nest.Operation, r *result) {
	wide := "d"
	if op.Type == nest.I64 {
		wide = "q"
	}
	var all []string
	for _, a := range op.Args {
		all = append(all, g.value(a, op.Type))
	}
	r.register = g.destination(op)
	if len(all) == 0 {
		return
	}
	x, y := all[0], all[len(all)-1]
	name := "vpadd" + wide
	switch op.Kind {
	case nest.Mul:
		if g.multiplied(op, x, y, r.register) {
			return
		}
		name = "vpmull" + wide
	case nest.Select:
		name = "vpmaxsd"
	case nest.Logic:
		name = "vpand"
		if g.bytesOf(op.Type) > avx2 {
			name = "vpandd"
		}
	case nest.Add:
		if op.Minus {
			name = "vpsub" + wide
		}
	}
	g.emit("%s %s, %s, %s", name, y, x, r.register)
}

// multiplied multiplies integers of four bytes by other instructions than the one for it: by shifts and sums where one is a constant, and where there is none for it,
// by products of eight bytes of every other number.
func (g *body) multiplied(op *nest.Operation, x, y, to string) bool {
	switch {
	case slices.Contains(op.Args, powerOfTwo):
		g.emit("vpslld %s, %s, %s", number, x, to)
	case g.target.Vector >= avx2:
		return false
	case slices.Contains(op.Args, nest.Value{Kind: nest.Const}):
		g.emit("vpslld %s, %s, %s", number, x, to)
		g.emit("vpaddd %s, %s, %s", x, to, to)
	default:
		odd, other := g.fresh(op.Type), g.fresh(op.Type)
		g.emit("vpsrlq %s, %s, %s", number, x, odd)
		g.emit("vpsrlq %s, %s, %s", number, y, other)
		g.emit("vpmuludq %s, %s, %s", y, x, to)
		g.emit("vpmuludq %s, %s, %s", odd, other, other)
		g.emit("vpshufd %s, %s, %s", number, to, to)
		g.emit("vpshufd %s, %s, %s", number, other, other)
		g.emit("vpunpckldq %s, %s, %s", other, to, to)
	}
	return true
}

// whole is an operation of integers.
func (g *body) whole(op *nest.Operation, r *result) {
	w := g.wide(op.Type)
	if len(op.Args) == 0 {
		return
	}
	if len(op.Args) == 2 && !op.Minus && op.Kind != nest.Div && g.secondFirst(op.Args[0], op.Args[1]) {
		swapped := *op
		swapped.Args = []nest.Value{op.Args[1], op.Args[0]}
		op = &swapped
	}
	dies := g.dies(op.Args[0])
	x := g.value(op.Args[0], op.Type)
	if op.Kind == nest.Div {
		g.divide(op, r, x)
		return
	}
	if dies && op.Out.Kind != nest.Scalar && x == named(x, op.Type) {
		r.register = x
	} else {
		r.register = g.destination(op)
	}
	if x != r.register {
		g.copy(op.Type, x, r.register)
	}
	if len(op.Args) == 1 {
		g.emit("neg%s %s", w, r.register)
		return
	}
	b := op.Args[1]
	y := ""
	if g.inMemory(b) && op.Kind != nest.Select {
		y = g.operandInMemory(b)
	} else {
		y = g.value(b, op.Type)
	}
	switch {
	case op.Kind == nest.Mul && y == number:
		g.emit("imul%s $3, %s, %s", w, r.register, r.register)
	case op.Kind == nest.Mul:
		g.emit("imul%s %s, %s", w, y, r.register)
	case op.Kind == nest.Logic:
		g.emit("and%s %s, %s", w, y, r.register)
	case op.Kind == nest.Select:
		if y == number {
			y = integer("8", op.Type)
		}
		g.emit("cmp%s %s, %s", w, y, r.register)
		g.emit("cmovl %s, %s", y, r.register)
	case op.Minus:
		g.emit("sub%s %s, %s", w, y, r.register)
	default:
		g.emit("add%s %s, %s", w, y, r.register)
	}
}

// secondFirst says whether an operation of integers better overwrites its second operand: the first is in memory, from where it can be taken, or is wanted again.
func (g *body) secondFirst(a, b nest.Value) bool {
	return b.Kind != nest.Const && g.inMemory(a) && !g.inMemory(b) || b.Kind == nest.Temp && g.dies(b) && !g.dies(a)
}

// dies says whether an integer is in a register of its own that nobody wants after its next use: an instruction may overwrite it.
func (g *body) dies(v nest.Value) bool {
	switch v.Kind {
	case nest.Temp:
		t := &g.temps[v.N]
		return g.uses[v.N] == 1 && t.register != "" && t.of.Kind != nest.Move && t.of.Out.Kind == nest.None
	case nest.Load:
		return g.inMemory(v)
	}
	return false
}

// named is a register of integers as it is called where it holds a type; "" of a constant.
func named(register string, t nest.Type) string {
	if register == number {
		return ""
	}
	whole := quad(register)
	if t == nest.I32 {
		return whole + "d"
	}
	return whole
}

// divide is a division of integers; one by a constant is a product and shifts, by a power of two shifts alone.
func (g *body) divide(op *nest.Operation, r *result, x string) {
	w := g.wide(op.Type)
	constant := len(op.Args) < 2 || op.Args[1].Kind == nest.Const
	r.register = g.destination(op)
	switch {
	case constant && len(op.Args) == 2 && op.Args[1] == powerOfTwo:
		g.copy(op.Type, x, r.register)
		g.emit("sar%s $31, %s", w, r.register)
		g.emit("add%s %s, %s", w, x, r.register)
		g.emit("sar%s $3, %s", w, r.register)
		return
	case constant:
		g.emit("imulq $3, %s, %s", quad(x), quad(r.register))
		g.emit("sarq $3, %s", quad(r.register))
		g.emit("sub%s %s, %s", w, x, r.register)
		return
	}
	y := g.value(op.Args[1], op.Type)
	if y == number {
		y = integer("8", op.Type)
	}
	g.copy(op.Type, x, g.resultOfCall(op.Type))
	if w == "q" {
		g.emit("cqto")
	} else {
		g.emit("cltd")
	}
	g.emit("idiv%s %s", w, y)
	g.copy(op.Type, g.resultOfCall(op.Type), r.register)
}

// quad is the whole of one of the registers r8 to r15.
func quad(register string) string {
	if n := len(register); n > 0 && register[n-1] == 'd' {
		return register[:n-1]
	}
	if register == number {
		return fmt.Sprintf("%%r%s", integers[0])
	}
	return register
}
