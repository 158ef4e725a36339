package codegen

import (
	"fmt"
	"strings"

	"foresee/application/nest"
)

func typeOfSize(size int64) nest.Type {
	if size == 4 {
		return nest.F32
	}
	return nest.F64
}

// name is a vector register as wide as the body works.
func (g *body) name(number int) string { return vector(number, g.width) }

// nameFor is a vector register as wide as the body's iterations need for a type.
func (g *body) nameFor(number int, t nest.Type) string { return vector(number, g.bytesOf(t)) }

// bytesOf is how many bytes the iterations that a body does at once take of a type; a whole register outside vectors.
func (g *body) bytesOf(t nest.Type) int {
	if g.lanes == 1 {
		return g.width
	}
	return int(g.lanes * sizeOf(t))
}

// suffix is that of an operation on a type of floating point.
func (g *body) suffix(t nest.Type) string {
	s := "sd"
	if t == nest.F32 {
		s = "ss"
	}
	if g.lanes > 1 {
		return "p" + s[1:]
	}
	return s
}

// move is the instruction that loads or stores a type.
func (g *body) move(t nest.Type) string {
	switch {
	case g.lanes > 1 && g.bytesOf(t) < sse:
		return "vmovq"
	case g.lanes > 1 && t.IsFloat():
		return "vmovu" + g.suffix(t)
	case g.lanes > 1 && g.bytesOf(t) > avx2:
		return "vmovdqu64"
	case g.lanes > 1:
		return "vmovdqu"
	case t.IsFloat():
		return "vmov" + g.suffix(t)
	case t == nest.I32:
		return "movl"
	}
	return "movq"
}

// fresh is a register for a result.
func (g *body) fresh(t nest.Type) string {
	if t.IsFloat() || g.lanes > 1 {
		return g.nameFor(g.newTemp(), t)
	}
	return integer(g.newInteger(), t)
}

// load gives the register that an element is in, which is loaded where it is in none.
func (g *body) load(a *nest.Access, t nest.Type) string {
	key, ok := keyOf(a)
	if k := g.kept[key]; ok && k != nil && k.register >= 0 {
		return g.homeOfKept(k, t)
	}
	if ok {
		g.loads[key]--
		if r := g.known[key]; r != "" {
			return r
		}
	}
	var r string
	if ok && g.loads[key] > 0 && (t.IsFloat() || g.lanes > 1) {
		r = g.remember(key)
	} else {
		r = g.fresh(t)
	}
	if g.pairs.of(a) {
		g.loadPair(a, t, r)
		return r
	}
	m := g.memory(a, g.register(a))
	if g.lanes > 1 && g.still(a) {
		g.broadcast(t, m, r)
		return r
	}
	g.emit("%s %s, %s", g.loadOf(a.Size, t), m, r)
	return r
}

// lookUp loads an element whose index is in a register: what computes the index is waited for.
func (g *body) lookUp(op *nest.Operation, r *result) {
	index := g.value(op.Args[0], g.typeOfIndex(op.Args[0]))
	a := g.stmt.Accesses[op.Args[1].N]
	if key, ok := keyOf(a); ok {
		g.loads[key]--
	}
	r.register = g.destination(op)
	m := g.memory(a, g.register(a))
	if strings.HasPrefix(index, "%r") {
		base, _, _ := strings.Cut(strings.TrimPrefix(m, "64("), ")")
		m = fmt.Sprintf("64(%s,%s,%d)", base, named(index, nest.I64), min(a.Size, 8))
	}
	g.emit("%s %s, %s", g.loadOf(a.Size, op.Type), m, r.register)
}

// typeOfIndex is the type of an integer, by what made it.
func (g *body) typeOfIndex(v nest.Value) nest.Type {
	switch v.Kind {
	case nest.Temp:
		return g.temps[v.N].typ
	case nest.Scalar:
		if h, ok := g.scalars[v.N]; ok {
			return h.typ
		}
	case nest.Load:
		if g.stmt.Accesses[v.N].Size == 8 {
			return nest.I64
		}
	}
	return nest.I32
}

// loadOf is the instruction that loads an element of so many bytes as a type: short integers become longer ones.
func (g *body) loadOf(size int64, t nest.Type) string {
	if t.IsFloat() || g.lanes > 1 || size >= sizeOf(t) {
		return g.move(t)
	}
	from := map[int64]string{1: "b", 2: "w", 4: "l"}[size]
	if from == "" {
		return g.move(t)
	}
	return "movs" + from + g.wide(t)
}

// part is an integer register of which so many bytes are stored.
func part(register string, size int64) string {
	if register == number || size >= 4 || !strings.HasPrefix(register, "%r") {
		return register
	}
	return strings.TrimSuffix(register, "d") + map[int64]string{1: "b", 2: "w"}[size]
}

// storeOf is the instruction that stores an element of so many bytes.
func (g *body) storeOf(size int64, t nest.Type) string {
	if t.IsFloat() || g.lanes > 1 || size >= 4 {
		return g.move(t)
	}
	return "mov" + map[int64]string{1: "b", 2: "w"}[size]
}

// broadcast loads one number for all lanes.
func (g *body) broadcast(t nest.Type, m, r string) {
	if g.target.Vector >= avx2 {
		g.emit("vbroadcast%s %s, %s", g.scalarSuffix(t), m, r)
		return
	}
	g.emit("vmov%s %s, %s", g.scalarSuffix(t), m, r)
	g.emit("vunpcklpd %s, %s, %s", r, r, r)
}

// still says whether an access of a body in vectors stays where it is.
func (g *body) still(a *nest.Access) bool { return a.Advance(g.packed) == 0 }

func (g *body) scalarSuffix(t nest.Type) string {
	if sizeOf(t) == 4 {
		return "ss"
	}
	return "sd"
}

func (g *body) homeOfKept(k *keptElement, t nest.Type) string {
	if t.IsFloat() || g.lanes > 1 {
		return g.name(k.register)
	}
	return integer(integerScalars[k.register%ownScalars], t)
}

// know notes that a register holds an element.
func (g *body) know(key, register string) {
	if g.known[key] == "" {
		g.order = append(g.order, key)
	}
	g.known[key] = register
}

// memory is an operand of an access.
func (g *body) memory(a *nest.Access, register string) string {
	if moved := g.apart[a]; moved != nil {
		a = moved
	}
	return g.builder.memory(a, register)
}

// forget drops what is known of elements.
func (g *body) forget(which func(key string) bool) {
	left := g.order[:0]
	for _, k := range g.order {
		if which(k) {
			delete(g.known, k)
		} else {
			left = append(left, k)
		}
	}
	g.order = left
}

// inMemory says whether an operand can be taken from memory by the instruction that uses it: nobody else wants it.
func (g *body) inMemory(v nest.Value) bool { return g.fromMemory(v, false) }

// fromMemory is inMemory, of an instruction that widens what it takes where it does, for which half a vector is enough.
func (g *body) fromMemory(v nest.Value, widens bool) bool {
	switch v.Kind {
	case nest.Scalar:
		return g.locals[v.N] == "" && g.scalars[v.N].stack && g.lanes == 1
	case nest.Load:
		a := g.stmt.Accesses[v.N]
		if g.pairs.of(a) {
			return false
		}
		key, ok := keyOf(a)
		whole := g.lanes == 1 && a.Size >= 4 || g.lanes > 1 && !g.still(a) && (g.lanes*a.Size >= sse || widens)
		if !ok {
			return whole
		}
		if k := g.kept[key]; k != nil && k.register >= 0 || g.known[key] != "" || g.loads[key] > 1 {
			return false
		}
		return whole
	}
	return false
}

// operandInMemory is the operand of such a value.
func (g *body) operandInMemory(v nest.Value) string {
	if v.Kind == nest.Scalar {
		return g.onStack(g.scalars[v.N].slot)
	}
	a := g.stmt.Accesses[v.N]
	if key, ok := keyOf(a); ok {
		g.loads[key]--
	}
	return g.memory(a, g.register(a))
}

// value gives the register of an operand.
func (g *body) value(v nest.Value, t nest.Type) string {
	switch v.Kind {
	case nest.Temp:
		g.uses[v.N]--
		r := &g.temps[v.N]
		if r.product != nil {
			g.multiply(r)
		}
		if r.register == "" {
			return g.constant(t)
		}
		return r.register
	case nest.Scalar:
		return g.scalar(v.N, t)
	case nest.Load:
		return g.load(g.stmt.Accesses[v.N], t)
	case nest.Const:
		if v.N == nest.Counter && g.lanes > 1 {
			return g.counter(t)
		}
	}
	return g.constant(t)
}

func (g *body) constant(t nest.Type) string {
	if t.IsFloat() || g.lanes > 1 {
		return g.nameFor(constants, t)
	}
	return number
}

// scalar gives the register of a variable, loaded where it lies on the stack.
func (g *body) scalar(n int, t nest.Type) string {
	if r := g.locals[n]; r != "" {
		return r
	}
	h := g.scalars[n]
	if h.stack {
		m := g.onStack(h.slot)
		r := g.fresh(t)
		g.emit("%s %s, %s", g.move(t), m, r)
		return r
	}
	return g.homeOf(h)
}

func (g *body) homeOf(h home) string {
	if h.typ.IsFloat() {
		return g.name(h.register)
	}
	if g.lanes > 1 {
		return g.name(firstScalar + h.register)
	}
	return integer(integerScalars[h.register], h.typ)
}

// destination is where an operation's result goes: the register of the variable that it sets, that of an element which the loop keeps, or a new one.
func (g *body) destination(op *nest.Operation) string {
	switch op.Out.Kind {
	case nest.Scalar:
		if _, ok := g.locals[op.Out.N]; ok && (op.Type.IsFloat() || g.lanes > 1) {
			return g.remember(fmt.Sprintf("=local %d", op.Out.N))
		}
		if h, ok := g.scalars[op.Out.N]; ok && !h.stack && h.typ.IsFloat() == op.Type.IsFloat() {
			return g.homeOf(h)
		}
	case nest.Store:
		if k := g.keptStore(op); k != nil {
			return g.homeOfKept(k, op.Type)
		}
	}
	if name := g.wanted; name != "" {
		g.wanted = ""
		return g.remember(name)
	}
	return g.fresh(op.Type)
}

// remember gives a register to what is wanted again.
func (g *body) remember(name string) string {
	g.again++
	r := g.name(firstAgain + g.again%manyAgain)
	g.forget(func(k string) bool { return g.known[k] == r })
	g.know(name, r)
	return r
}

// keptStore is the element that the loop keeps which an operation writes.
func (g *body) keptStore(op *nest.Operation) *keptElement {
	key, ok := keyOf(g.stmt.Accesses[op.Out.N])
	if k := g.kept[key]; ok && k != nil && k.register >= 0 {
		return k
	}
	return nil
}

// finish stores a result where the operation says.
func (g *body) finish(op *nest.Operation, register string) {
	switch op.Out.Kind {
	case nest.Scalar:
		h, ok := g.scalars[op.Out.N]
		local, isLocal := g.locals[op.Out.N]
		switch {
		case isLocal && local != register && register != number:
			g.locals[op.Out.N] = register
		case isLocal:
		case !ok:
		case h.stack:
			g.emit("%s %s, %s", g.move(op.Type), register, g.onStack(h.slot))
		case register != g.homeOf(h) && h.typ.IsFloat() == op.Type.IsFloat():
			g.copy(op.Type, register, g.homeOf(h))
		}
	case nest.Store:
		a := g.stmt.Accesses[op.Out.N]
		if k := g.keptStore(op); k != nil {
			if to := g.homeOfKept(k, op.Type); register != to {
				g.copy(op.Type, register, to)
			}
			if !k.through {
				return
			}
		}
		g.store(a, op.Type, register)
		for _, key := range g.carries {
			if e := g.kept[key]; e.carried == a && e.register >= 0 {
				g.copy(op.Type, register, g.homeOfKept(e, op.Type))
			}
		}
	}
}

// copy gives a register another name.
func (g *body) copy(t nest.Type, from, to string) {
	if from == number {
		g.emit("%s %s, %s", g.move(t), from, to)
		return
	}
	if t.IsFloat() || g.lanes > 1 {
		g.emit("vmovap%s %s, %s", g.scalarSuffix(t)[1:], from, to)
		return
	}
	g.emit("%s %s, %s", g.move(t), from, to)
}

// store writes an element, of which the body then knows the value.
func (g *body) store(a *nest.Access, t nest.Type, register string) {
	if g.pairs.of(a) {
		g.storePair(a, t, register)
	} else {
		g.emit("%s %s, %s", g.storeOf(a.Size, t), part(register, a.Size), g.memory(a, g.register(a)))
	}
	key, ok := keyOf(a)
	g.forget(func(k string) bool { return k != key && g.overlaps(k, a) })
	if ok && g.loads[key] > 0 && register != number {
		if t.IsFloat() || g.lanes > 1 {
			g.copy(t, register, g.remember(key))
		}
	}
}

// overlaps says whether a write may change an element that is known.
func (g *body) overlaps(key string, w *nest.Access) bool {
	x := g.elements[key]
	if strings.HasPrefix(key, "=") {
		return false // a value, not a place
	}
	if x == nil || x.Object != w.Object {
		return x == nil || mayAlias(x.Object, w.Object)
	}
	return meets(x, w)
}
