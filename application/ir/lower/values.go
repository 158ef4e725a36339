package lower

import (
	"slices"

	"foresee/application/csource/value"
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// kind tells values apart.
type kind uint8

// Kinds of values. Data is what is not known before the run; once is the answer of OpenMP to the thread that runs a single construct.
const (
	data kind = iota
	integer
	pointer
	function
	aggregate
	once
)

// val is what is known of a value.
type val struct {
	kind
	e     *expr.Expr // of integer; of pointer the offset in bytes
	o     *object    // of pointer; nil is the null pointer
	f     string     // of function
	null  bool       // of pointer: it may be the null pointer instead
	parts []val
	flow  nest.Value // of data: what makes it
	stmt  *nest.Stmt // that flow is of, where it is an operation's result or a load
	keep  int        // the scalar that holds it beyond that statement, from 1; 0 where none does
	why   string     // of data: why it is not known, as the end of a sentence
}

// object is something in memory.
type object struct {
	*nest.Object
	initial *text.Operand // of a global variable
	global  string        // the name of that variable
	leads   *object       // where the address in a descriptor leads, of one that was not seen made
	typ     *text.Type
	fixed   bool // nothing writes to it
	size    *expr.Expr
	stack   bool
	outside bool          // it was made before the function that the analysis begins at
	first   map[int64]val // of that: pointers in it, as they were then, by their places
	held    string        // the variable's name, where what its member points at has it
	debug   int           // metadata of the type of the variable that it is
	place   string        // of an object on the heap, where it was made
	born    int           // one more than the counter of the loop that is followed while it is made; 0: none
	freed   bool
	written bool              // something that was followed, or looked at, may write numbers anywhere in it
	parts   []part            // and those in which it writes more
	rows    map[int64]*object // of what holds addresses of which nothing more is known: where they lead, by their places in its elements
	stands  *standing         // of rows: where their addresses stand
	met     bool              // a pointer to it was loaded
	rowsOf  *object           // that holds the addresses of its parts, which the iterations of a loop allocated
}

// part is bytes of an object that are written, every so many bytes again where step is not 0.
type part struct{ from, size, step int64 }

// mostParts bounds what is told apart of an object that is written. Chosen.
const mostParts = 16

// write notes that some bytes at an address may be written.
func (o *object) write(address *expr.Expr, size int64) {
	from, step, ok := value.Steps(address)
	p := part{from, size, step}
	switch {
	case o.written || ok && slices.Contains(o.parts, p):
	case !ok || len(o.parts) == mostParts:
		o.written = true
	default:
		o.parts = append(o.parts, p)
	}
}

// mayBeWritten tells whether something may write to bytes at an address, whose variables have bounds: members of elements are told apart.
func (o *object) mayBeWritten(address *expr.Expr, size int64, ranges func(expr.Var) expr.Range) bool {
	if o.written || len(o.parts) == 0 {
		return o.written
	}
	read := value.Spreads(address, ranges)
	return len(read) == 0 || slices.ContainsFunc(o.parts, func(p part) bool {
		return !slices.ContainsFunc(read, func(s value.Spread) bool { return p.besides(s.From, s.Extent+size, s.Step) })
	})
}

// besides tells whether none of the bytes are those from another place on, over so many, and again every so many further.
func (p part) besides(from, size, step int64) bool {
	apart, again := from-p.from, value.Divisor(step, p.step)
	if again == 0 {
		return apart >= p.size || -apart >= size
	}
	apart = (apart%again + again) % again
	return apart >= p.size && apart+size <= again
}

func (o *object) anyWritten() bool { return o.written || len(o.parts) > 0 }

// cell is what lies in a part of an object.
type cell struct {
	size int64
	v    val
}

// memory is what is known of objects, by offset in bytes.
type memory map[*object]*contents

// contents are those of one object.
type contents struct {
	cells  cells
	copies []copied
	rows   []row // never changed in place, as copies share them
	dirty  bool  // something may have been written anywhere in it
	copied bool  // it is shared with a copy
}

func constant(n int64) val { return val{kind: integer, e: expr.Int(n)} }

func unknown(why string) val { return val{why: why, flow: nest.Value{Kind: nest.Const}} }

// isConstant gives a known integer.
func (v val) isConstant() (int64, bool) {
	if v.kind == integer && v.e.Op == expr.OpConst {
		return v.e.K, true
	}
	return 0, false
}

// copied is a part that was copied from an object that nothing writes to.
type copied struct {
	at, size int64
	o        *object
	from     int64
}

// contentsOf are those of an object, to be changed.
func (m memory) contentsOf(o *object) *contents {
	c := m[o]
	switch {
	case c == nil:
		c = &contents{}
	case c.copied:
		c = &contents{cells: c.cells.clone(), dirty: c.dirty, copies: c.copies, rows: c.rows}
	default:
		return c
	}
	m[o] = c
	return c
}

// clone is a copy that later changes do not touch.
func (m memory) clone() memory {
	made := make(memory, len(m))
	for o, c := range m {
		c.copied = true
		made[o] = c
	}
	return made
}

// set notes what a part of an object holds from now on.
func (m memory) set(o *object, at, size int64, v val) {
	c := m.contentsOf(o)
	c.clear(at, size)
	c.cells.put(at, cell{size, v})
}

// clear forgets a part.
func (c *contents) clear(at, size int64) {
	c.write(expr.Int(at), size)
	c.cells.dropOver(at, at+size)
	for _, k := range c.copies {
		if k.at < at+size && at < k.at+k.size {
			c.cells.put(at, cell{size, unknown("it was changed after it was copied")})
		}
	}
}

// forget drops all that is known of an object.
func (m memory) forget(o *object) {
	c := m.contentsOf(o)
	c.cells, c.copies, c.rows, c.dirty = cells{}, nil, nil, true
	o.written = true
}

// merged is what is known whichever of two ways was taken: a where c holds, else b. c is nil where that depends on data.
func merged(c *expr.Expr, a, b memory) memory {
	out := memory{}
	for o, x := range a {
		y := b[o]
		if y == nil {
			y = &contents{}
		}
		if x == y {
			out[o] = x
			continue
		}
		z := &contents{cells: x.cells.clone(), dirty: x.dirty || y.dirty}
		if slices.Equal(x.copies, y.copies) {
			z.copies = x.copies
		}
		if sameRows(x.rows, y.rows) {
			z.rows = x.rows
		}
		for k, q := range y.cells.besides(&x.cells) {
			p, ok := x.cells.get(k)
			switch {
			case !ok:
				z.cells.put(k, cell{q.size, unknown("it is set on one way only")})
			case p.size != q.size:
				z.cells.put(k, cell{p.size, unknown("it is set on one way only")})
			case !p.v.is(q.v):
				z.cells.put(k, cell{p.size, choose(c, p.v, q.v)})
			}
		}
		for k, p := range x.cells.besides(&y.cells) {
			if _, ok := y.cells.get(k); !ok {
				z.cells.put(k, cell{p.size, unknown("it is set on one way only")})
			}
		}
		out[o] = z
	}
	for o, y := range b {
		if a[o] == nil {
			z := &contents{dirty: y.dirty}
			for k, q := range y.cells.all() {
				z.cells.put(k, cell{q.size, unknown("it is set on one way only")})
			}
			out[o] = z
		}
	}
	return out
}

// is tells at a glance values that are the same, though not all.
func (v val) is(w val) bool {
	return v.kind == w.kind && v.e == w.e && v.o == w.o && v.f == w.f && v.null == w.null && v.parts == nil && w.parts == nil &&
		v.flow == w.flow && v.stmt == w.stmt && v.keep == w.keep && v.why == w.why
}

// choose is a where c holds, else b; c is nil where that depends on data.
func choose(c *expr.Expr, a, b val) val {
	switch {
	case same(a, b):
		return a
	case a.kind == data && a.why == undefined:
		return b
	case b.kind == data && b.why == undefined:
		return a
	case c == nil || a.kind != b.kind:
	case a.kind == integer:
		return val{kind: integer, e: extreme(c, a.e, b.e)}
	case a.kind == pointer && a.o == b.o && a.o != nil:
		return val{kind: pointer, o: a.o, e: extreme(c, a.e, b.e)}
	}
	if a.kind == data && a.flow.Kind != nest.Const {
		return a
	}
	if b.kind == data && b.flow.Kind != nest.Const {
		return b
	}
	switch {
	case a.kind != pointer || b.kind != pointer:
	case a.o == nil && b.o != nil: // where it is used it is not null
		b.null = true
		return b
	case b.o == nil && a.o != nil:
		a.null = true
		return a
	default:
		return unknown("it points at either of two objects")
	}
	return unknown("it depends on data")
}

// undefined is why a value that a program must not use is not known.
const undefined = "it is not defined"

// extreme is c ? a : b, as a minimum or maximum where it is one, or as one of the two where that is the same.
func extreme(c, a, b *expr.Expr) *expr.Expr {
	if c.Op == expr.OpNe {
		c, a, b = expr.Unary(expr.OpNot, c), b, a
	}
	if c.Op == expr.OpEq && c.A.Op == expr.OpVar {
		m := map[expr.Var]*expr.Expr{expr.Var(c.A.K): c.B}
		if expr.Equal(value.Normal(b.Substitute(m)), value.Normal(a.Substitute(m))) {
			return b
		}
	}
	if c.Op == expr.OpLt || c.Op == expr.OpLe { // A < B ? A : B, also with B - 1 for B, which is the same for integers
		near := func(x, y *expr.Expr) bool {
			d := minus(x, y)
			return d.Op == expr.OpConst && (d.K == 0 || d.K == -1 && c.Op == expr.OpLt || d.K == 1 && c.Op == expr.OpLe)
		}
		switch {
		case expr.Equal(c.A, a) && near(b, c.B):
			return expr.Binary(expr.OpMin, a, b)
		case expr.Equal(c.A, b) && near(a, c.B):
			return expr.Binary(expr.OpMax, a, b)
		}
	}
	return expr.Conditional(c, a, b)
}

// same tells whether two values are the same for sure.
func same(a, b val) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case integer:
		return expr.Equal(a.e, b.e)
	case pointer:
		return a.o == b.o && expr.Equal(a.e, b.e)
	case function:
		return a.f == b.f
	case aggregate:
		if len(a.parts) != len(b.parts) {
			return false
		}
		for i := range a.parts {
			if !same(a.parts[i], b.parts[i]) {
				return false
			}
		}
		return true
	}
	return a.flow == b.flow && a.stmt == b.stmt && a.why == b.why
}

// plus is a sum in normal form.
func plus(a, b *expr.Expr) *expr.Expr { return value.Normal(expr.Binary(expr.OpAdd, a, b)) }

func minus(a, b *expr.Expr) *expr.Expr { return value.Normal(expr.Binary(expr.OpSub, a, b)) }

func times(a, b *expr.Expr) *expr.Expr { return value.Normal(expr.Binary(expr.OpMul, a, b)) }

// substitute replaces variables in a value.
func (v val) substitute(m map[expr.Var]*expr.Expr) val {
	if v.e != nil && usesAny(v.e, m) {
		v.e = value.Normal(v.e.Substitute(m))
	}
	if v.kind == aggregate {
		parts := make([]val, len(v.parts))
		for i, p := range v.parts {
			parts[i] = p.substitute(m)
		}
		v.parts = parts
	}
	return v
}

func usesAny(e *expr.Expr, m map[expr.Var]*expr.Expr) bool {
	found := false
	e.EachVar(func(v expr.Var) {
		if _, ok := m[v]; ok {
			found = true
		}
	})
	return found
}
