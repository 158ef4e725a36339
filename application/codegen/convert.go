package codegen

import (
	"strings"

	"foresee/application/nest"
)

// convert goes from one type to another.
func (g *body) convert(op *nest.Operation, r *result) {
	if op.Rounds() {
		g.round(op, r)
		return
	}
	if g.lanes > 1 {
		g.convertLanes(op, r)
		return
	}
	v := ""
	from, inMemory := op.From, g.inMemory(op.Args[0])
	if inMemory {
		v = g.operandInMemory(op.Args[0])
	} else {
		v = g.value(op.Args[0], from)
	}
	r.register = g.destination(op)
	if v == number {
		v = integer("8", nest.I32)
	}
	switch {
	case from.IsFloat() && op.Type.IsFloat():
		name, other := "vcvtss2sd", v
		if from == nest.F64 {
			name = "vcvtsd2ss"
		}
		if inMemory {
			other = vector(constants, sse)
		}
		g.emit("%s %s, %s, %s", name, v, other, r.register)
	case op.Type.IsFloat():
		l := "l"
		if from == nest.I64 {
			l = "q"
		}
		g.emit("vcvtsi2%s%s %s, %s, %s", g.scalarSuffix(op.Type), l, v, vector(constants, sse), r.register)
	case from.IsFloat():
		g.emit("vcvtt%s2si %s, %s", g.scalarSuffix(from), v, r.register)
	case op.Type == nest.I64:
		g.emit("movslq %s, %s", v, r.register)
	default:
		g.emit("movl %s, %s", v, r.register)
	}
}

// ofLanes is what conversions in vectors are called, from one type to another. Where the sizes differ, the larger fills the vectors: compilers convert as many of
// the smaller at once as a vector of these holds, in two halves, which takes as many instructions.
var ofLanes = map[[2]nest.Type]string{
	{nest.I32, nest.F32}: "vcvtdq2ps", {nest.I32, nest.F64}: "vcvtdq2pd", {nest.F32, nest.I32}: "vcvttps2dq",
	{nest.F64, nest.I32}: "vcvttpd2dq", {nest.F32, nest.F64}: "vcvtps2pd", {nest.F64, nest.F32}: "vcvtpd2ps",
}

// convertLanes converts vectors.
func (g *body) convertLanes(op *nest.Operation, r *result) {
	a, v := op.Args[0], ""
	if g.fromMemory(a, sizeOf(op.From) < sizeOf(op.Type)) {
		v = g.operandInMemory(a)
	} else {
		v = g.value(a, op.From)
	}
	r.register = g.destination(op)
	name := ofLanes[[2]nest.Type{op.From, op.Type}]
	if !strings.HasPrefix(v, "%") && op.From == nest.F64 { // the size of what lies there decides
		name += map[bool]string{true: "y", false: "x"}[g.bytesOf(op.From) > sse]
	}
	g.emit("%s %s, %s", name, v, r.register)
}

// counter is the numbers of the iterations that are done at once, which a register counts up by.
func (g *body) counter(t nest.Type) string {
	key := "=counter " + t.String()
	if r := g.known[key]; r != "" {
		return r
	}
	wide := "d"
	if t == nest.I64 {
		wide = "q"
	}
	at, r := g.nameFor(counting, t), g.remember(key)
	g.copy(t, at, r)
	g.emit("vpadd%s %s, %s, %s", wide, g.constant(t), at, at)
	return r
}
