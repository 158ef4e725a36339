package codegen

import "foresee/application/nest"

// round makes a whole number of one of floating point, which stays one. Before SSE 4.1, whose instruction for it comes with the flags of later processors,
// compilers convert to an integer and back, keep the sign, and leave large numbers as they are; towards the nearest by a large number added and taken off.
func (g *body) round(op *nest.Operation, r *result) {
	x, s := g.value(op.Args[0], op.Type), g.suffix(op.Type)
	r.register = g.destination(op)
	if g.target.Vector >= avx2 {
		if g.lanes > 1 {
			g.emit("vround%s $9, %s, %s", s, x, r.register)
		} else {
			g.emit("vround%s $9, %s, %s, %s", s, x, x, r.register)
		}
		return
	}
	packed, t := "p"+s[1:], g.fresh(op.Type)
	g.emit("movapd %s, %s", x, t)
	g.emit("and%s %s, %s", packed, vector(constants, sse), t)
	g.emit("ucomi%s %s, %s", s, t, vector(constants, sse))
	if op.Name == "rint" {
		g.emit("add%s %s, %s", s, vector(constants, sse), t)
		g.emit("sub%s %s, %s", s, vector(constants, sse), t)
	} else {
		whole := integer(g.newInteger(), nest.I64)
		g.emit("cvtt%s2si %s, %s", s, x, whole)
		g.emit("pxor %s, %s", t, t)
		g.emit("cvtsi2%sq %s, %s", s, whole, t)
		if op.Name != "trunc" {
			off := g.fresh(op.Type)
			g.emit("movapd %s, %s", t, off)
			g.emit("cmpnle%s %s, %s", s, x, off)
			g.emit("and%s %s, %s", packed, vector(constants, sse), off)
			g.emit("sub%s %s, %s", s, off, t)
		}
	}
	sign := g.fresh(op.Type)
	g.emit("movapd %s, %s", vector(constants, sse), sign)
	g.emit("andn%s %s, %s", packed, x, sign)
	g.emit("or%s %s, %s", packed, t, sign)
	g.copy(op.Type, sign, r.register)
}
