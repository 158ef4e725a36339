package codegen

import (
	"foresee/application/nest"
)

// body emits the statements of a loop's body, or of what is outside of loops.
type body struct {
	*builder
	lanes    int64      // iterations at once; 1 without vectors
	turn     int64      // iterations in one round
	group    *group     // of elements side by side; nil: none
	width    int        // bytes of a vector of them
	packed   *nest.Loop // whose iterations they are
	values   *numbers
	ordered  map[int]bool   // sums that vectors are added to number by number
	locals   map[int]string // registers of scalars that each iteration sets before it reads them
	hoisted  map[place]int  // registers of what stays the same
	register func(a *nest.Access) string
	kept     map[string]*keptElement // by the loop
	carries  []string                // those that an iteration writes for the next
	loads    map[string]int          // still to come, of each element
	known    map[string]string       // registers that hold elements
	elements map[string]*nest.Access
	order    []string                      // those elements, the one that was loaded first in front
	pairs    *pairs                        // of every other element; nil: there are none
	waiting  map[string]string             // the registers of the first of pairs that are to be stored
	apart    map[*nest.Access]*nest.Access // accesses as vectors of a group make them

	wanted string // what the next result is called, where it is wanted again
	stmt   *nest.Stmt
	temps  []result
	uses   []int // still to come, of each temp
}

// result is what an operation gave.
type result struct {
	register string
	typ      nest.Type
	product  []string        // the factors of a product that is added in the same instruction
	memory   func() string   // and the one of them that lies in memory
	of       *nest.Operation // that made it
}

// statement emits one.
func (g *body) statement(s *nest.Stmt) {
	g.begin(s)
	moved := map[int]bool{}
	for i := range s.Flow {
		g.operation(i, &s.Flow[i])
		for _, v := range append(s.Flow[i].Args[:len(s.Flow[i].Args):len(s.Flow[i].Args)], s.Flow[i].Out) {
			if v.Kind == nest.Load || v.Kind == nest.Store {
				moved[v.N] = true
			}
		}
	}
	for n, a := range s.Accesses { // what only loads
		if !moved[n] && !a.Write {
			g.load(a, typeOfSize(a.Size))
		}
	}
}

// begin prepares for a statement.
func (g *body) begin(s *nest.Stmt) {
	g.stmt, g.temps, g.uses = s, make([]result, len(s.Flow)), make([]int, len(s.Flow))
	for _, op := range s.Flow {
		for _, a := range op.Args {
			if a.Kind == nest.Temp {
				g.uses[a.N]++
			}
		}
	}
}

// operation emits one.
func (g *body) operation(i int, op *nest.Operation) {
	r := &g.temps[i]
	r.typ, r.of = op.Type, op
	if n, ok := g.hoisted[place{g.stmt, i}]; ok && (op.Type.IsFloat() || g.lanes > 1) {
		r.register = g.name(n)
		if op.Out.Kind == nest.Store {
			g.finish(op, r.register)
		}
		return
	}
	name := g.repeated(i, op)
	if r.register = g.known[name]; r.register != "" {
		g.finish(op, r.register)
		return
	}
	g.wanted = name
	switch {
	case g.target.calls(op):
		g.call(op, r)
	case op.Kind == nest.Lookup:
		g.lookUp(op, r)
	case op.Kind == nest.Move:
		g.moved(op, r)
	case op.Kind == nest.Convert:
		g.convert(op, r)
	case op.Kind == nest.Compare:
		if g.decides(i) == undecided { // else it is a part of what it decides
			g.compare(op, r)
		}
		return
	case op.Kind == nest.Select && len(op.Args) == 3:
		g.choose(op, r)
	case op.Kind == nest.Mul && name == "" && g.fuses(i, op):
		return
	case op.Type.IsFloat():
		g.float(op, r)
	case g.lanes > 1:
		g.packedIntegers(op, r)
	default:
		g.whole(op, r)
	}
	if r.register != "" {
		g.finish(op, r.register)
	}
}

// repeated names the value of an operation that others in the body give too, and whose result goes nowhere else; "" else.
func (g *body) repeated(i int, op *nest.Operation) string {
	if g.values == nil || op.Out.Kind != nest.None || !op.Type.IsFloat() || op.Kind == nest.Compare || op.Kind == nest.Move {
		return ""
	}
	name := g.values.names[place{g.stmt, i}]
	if g.values.counts[name] < 2 {
		return ""
	}
	return "=" + name
}

// fuses says whether a product is added in the instruction that makes it, and then notes its factors.
func (g *body) fuses(i int, op *nest.Operation) bool {
	if !g.target.FMA || !op.Type.IsFloat() || op.Out.Kind != nest.None || g.uses[i] != 1 || len(op.Args) != 2 {
		return false
	}
	for j := i + 1; j < len(g.stmt.Flow); j++ {
		next := &g.stmt.Flow[j]
		for k, a := range next.Args {
			if a != (nest.Value{Kind: nest.Temp, N: i}) {
				continue
			}
			if next.Kind != nest.Add || next.Type != op.Type || len(next.Args) != 2 {
				return false
			}
			other := next.Args[1-k]
			if other.Kind == nest.Temp && g.temps[other.N].product != nil { // one of two products is made by itself
				return false
			}
			r := &g.temps[i]
			a, b := op.Args[0], op.Args[1]
			if g.inMemory(a) && !g.inMemory(b) {
				a, b = b, a
			}
			r.product = []string{g.value(a, op.Type)}
			if g.inMemory(b) {
				r.memory = func() string { return g.operandInMemory(b) }
			} else {
				r.product = append(r.product, g.value(b, op.Type))
			}
			return true
		}
	}
	return false
}

// factors are the operands of a product: the first may be in memory.
func (r *result) factors() (string, string) {
	if r.memory != nil {
		return r.memory(), r.product[0]
	}
	return r.product[1], r.product[0]
}

// multiply makes a product by itself after all.
func (g *body) multiply(r *result) {
	a, b := r.factors()
	to := g.fresh(r.typ)
	g.emit("vmul%s %s, %s, %s", g.suffix(r.typ), a, b, to)
	r.register, r.product, r.memory = to, nil, nil
}

// moved copies.
func (g *body) moved(op *nest.Operation, r *result) {
	if len(op.Args) == 0 {
		return
	}
	r.register = g.value(op.Args[0], op.Type)
}
