package nest

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"foresee/application/nest/expr"
)

// maxDepth bounds the number of variables of one access: its loops and the quotients in its subscript.
const maxDepth = 30

// item is a part of a body: a run of accesses, a loop, or a condition with two bodies.
type item struct {
	run  []*access
	loop *loop
	cond *expr.Expr
	then *body
	els  *body
}

// body is a sequence of items with what is known of its length in accesses.
type body struct {
	items []item
	fixed bool  // every execution makes the same number of accesses
	size  int64 // that number
	poly  expr.Polynomial
	known bool    // poly gives the length for all executions
	ends  []int64 // by item: the accesses until its end, where every execution makes as many of each item; else nil
}

// loop is a loop of step one, compiled.
type loop struct {
	v          expr.Var
	team       bool  // over the threads of a phase
	dealt      *Loop // not nil: over the iterations of this worksharing loop
	depth      int   // index in the paths of the accesses below it
	lo, hi     []expr.Ratio
	loExact    bool
	hiExact    bool
	loExpr     *expr.Expr
	hiExpr     *expr.Expr
	body       *body
	sum        *expr.Closed // antiderivative of the body's length, when that is a polynomial
	count      expr.Polynomial
	countKnown bool
	canonical  *canonical
	uses       []expr.Var // outer variables that the number of accesses depends on
	uniform    bool       // its iterations make equally many accesses, though not by a polynomial
	number     int        // index in model.loops
	first      int        // access in it, of those that lines are looked for by families
	last       int

	mu     sync.Mutex
	tables map[string]*table
}

// access is one reference in the text, with its enclosing loops.
type access struct {
	id     int
	object int
	source *Access
	path   []*loop
	offset expr.Affine // in bytes; over path variables and quotients
	exact  *expr.Expr  // the offset when it needs quotients
	before [][]before
	system system
	nest   int           // number of the loops around it
	twins  []*access     // itself and those made in the same iterations at the same places, in order; nil for all but the first
	first  *access       // of its twins
	follow [][]candidate // by depth; nil where they are not listed
	family *family       // nil where they are
}

// before counts the accesses of one execution of a body that precede a place in it.
type before struct {
	fixed int64
	items []item // of varying length
}

// model is a dealt and compiled program at one line size.
type model struct {
	objects  []*Object
	vars     []string
	line     int64
	box      []expr.Range // bounds of every variable over the whole run
	root     *body
	accesses []*access
	families []*families // by object; nil of those that few references are made to
	loops    []*loop
	byObject [][]*access // of twins the first
	shared   [][]int8    // loops that two nests have in common; nil where there are too many
	total    int64

	entries   atomic.Int64 // of all tables
	exhausted atomic.Bool  // there were too many: counts are wrong from then on
}

// compiler makes a model of a program.
type compiler struct {
	*model
	objectID map[*Object]int
}

// scope is what encloses a node.
type scope struct {
	path   []*loop
	bounds []expr.Affine // ≥ 0, from loop bounds
	depths []int         // path index of the loop that each bound belongs to
	conds  []expr.Affine // ≥ 0, from conditions
	extra  []*expr.Expr  // conditions that are not affine
	ranges []loopEdge    // loop bounds that are not affine
}

// loopEdge is a bound that is not affine.
type loopEdge struct {
	depth int
	lower bool
	e     *expr.Expr
}

// nodes compiles nodes to a body.
func (c *compiler) nodes(nodes []Node, sc scope) (*body, error) {
	b := &body{}
	for _, n := range nodes {
		switch n := n.(type) {
		case *Stmt:
			if err := c.run(b, n, sc); err != nil {
				return nil, err
			}
		case teamLoop:
			l, err := c.loop(n.Loop, sc, true)
			if err != nil {
				return nil, err
			}
			b.items = append(b.items, item{loop: l})
		case dealtLoop:
			l, err := c.loop(n.Loop, sc, false)
			if err != nil {
				return nil, err
			}
			l.dealt = n.source
			b.items = append(b.items, item{loop: l})
		case *Loop:
			l, err := c.loop(n, sc, false)
			if err != nil {
				return nil, err
			}
			b.items = append(b.items, item{loop: l})
		case *If:
			if err := c.condition(b, n, sc); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("nest: %T was not dealt", n)
		}
	}
	return b, nil
}

// maxConditions bounds the conditions that stand in one another, as those of a switch do: each is asked about with all that are around it. Chosen: a
// switch over all values of a byte takes 3 s, one over twice as many 10.
const maxConditions = 256

// condition compiles an if as two conditions, or as the side that is known to be taken.
func (c *compiler) condition(b *body, n *If, sc scope) error {
	if len(sc.conds)+len(sc.extra) > maxConditions {
		return fmt.Errorf("%s: conditions are nested more than %d deep", n.Pos, maxConditions)
	}
	if n.Cond.Op == expr.OpConst {
		chosen := n.Then
		if n.Cond.K == 0 {
			chosen = n.Else
		}
		inner, err := c.nodes(chosen, sc)
		if err != nil {
			return err
		}
		b.items = append(b.items, inner.items...)
		return nil
	}
	then, err := c.nodes(n.Then, sc.when(n.Cond, false))
	if err != nil {
		return err
	}
	els, err := c.nodes(n.Else, sc.when(n.Cond, true))
	if err != nil {
		return err
	}
	b.items = append(b.items, item{cond: c.decided(n.Cond, sc), then: then, els: els})
	return nil
}

// side is the body of a condition that is known to be taken, nil where that depends.
func (it *item) side() *body {
	switch {
	case it.cond.Op != expr.OpConst:
		return nil
	case it.cond.K != 0:
		return it.then
	}
	return it.els
}

// decided is a condition, or its value where it is the same wherever it is asked.
func (c *compiler) decided(cond *expr.Expr, sc scope) *expr.Expr {
	const most = 100 // nodes; chosen: what holds everywhere shows at once, and there may be thousands of conditions
	for _, value := range []bool{true, false} {
		other := sc.when(cond, value)
		if !c.possible(slices.Concat(other.bounds, other.conds), sc.path, most) {
			return expr.Int(expr.Truth(value))
		}
	}
	return cond
}

// when adds a condition, or its negation, to the scope.
func (sc scope) when(cond *expr.Expr, negate bool) scope {
	sc.conds = append([]expr.Affine{}, sc.conds...)
	sc.extra = append([]*expr.Expr{}, sc.extra...)
	for _, part := range expr.Conjuncts(cond, negate) {
		if forms, ok := expr.ConditionForms(part); ok {
			sc.conds = append(sc.conds, forms...)
		} else {
			sc.extra = append(sc.extra, part)
		}
	}
	return sc
}

// loop compiles a loop; team says that it runs over the threads.
func (c *compiler) loop(n *Loop, sc scope, team bool) (*loop, error) {
	if len(sc.path)+1 > maxDepth-4 {
		return nil, fmt.Errorf("%s: loops are nested more than %d deep", n.Pos, maxDepth-4)
	}
	l := &loop{
		v: n.Var, team: team, depth: len(sc.path), loExpr: n.Lo, hiExpr: n.Hi,
		number: len(c.loops), tables: map[string]*table{},
	}
	c.loops = append(c.loops, l)
	l.lo, l.loExact = expr.BoundList(n.Lo, true)
	l.hi, l.hiExact = expr.BoundList(n.Hi, false)
	inner := sc
	inner.path = append(append([]*loop{}, sc.path...), l)
	inner.bounds = append([]expr.Affine{}, sc.bounds...)
	inner.depths = append([]int{}, sc.depths...)
	inner.ranges = append([]loopEdge{}, sc.ranges...)
	self := expr.Affine{Terms: []expr.Term{{V: n.Var, C: 1}}}
	for _, p := range l.lo {
		inner.bounds = append(inner.bounds, self.Scaled(p.Den).Plus(p.Form, -1))
	}
	for _, p := range l.hi {
		inner.bounds = append(inner.bounds, p.Form.Plus(self, -p.Den))
	}
	for len(inner.depths) < len(inner.bounds) {
		inner.depths = append(inner.depths, l.depth)
	}
	if !l.loExact {
		inner.ranges = append(inner.ranges, loopEdge{l.depth, true, n.Lo})
	}
	if !l.hiExact {
		inner.ranges = append(inner.ranges, loopEdge{l.depth, false, n.Hi})
	}
	c.setBox(l)
	b, err := c.nodes(n.Body, inner)
	if err != nil {
		return nil, err
	}
	l.body = b
	c.measure(b)
	c.closeLoop(l, sc)
	return l, nil
}

// setBox bounds the loop's variable over the whole run.
func (c *compiler) setBox(l *loop) {
	at := func(v expr.Var) expr.Range { return c.box[v] }
	r := expr.Range{Lo: l.loExpr.Interval(at).Lo, Hi: l.hiExpr.Interval(at).Hi}
	for _, p := range l.lo {
		r.Lo = max(r.Lo, expr.CeilDiv(p.Form.Interval(c.box).Lo, p.Den))
	}
	for _, p := range l.hi {
		r.Hi = min(r.Hi, expr.FloorDiv(p.Form.Interval(c.box).Hi, p.Den))
	}
	if r.Hi < r.Lo { // never runs; any point will do
		r.Hi = r.Lo
	}
	c.box[l.v] = r
}

// run adds the accesses of a statement to the run of accesses before it, if there is one.
func (c *compiler) run(b *body, s *Stmt, sc scope) error {
	if len(s.Accesses) == 0 {
		return nil
	}
	if len(b.items) == 0 || b.items[len(b.items)-1].run == nil {
		b.items = append(b.items, item{})
	}
	it := &b.items[len(b.items)-1]
	for _, a := range s.Accesses {
		x, err := c.access(a, sc)
		if err != nil {
			return err
		}
		it.run = append(it.run, x)
	}
	return nil
}

// access compiles an access, with the system of constraints under which it is made.
func (c *compiler) access(a *Access, sc scope) (*access, error) {
	id, ok := c.objectID[a.Object]
	if !ok {
		id = len(c.objects)
		c.objectID[a.Object] = id
		c.objects = append(c.objects, a.Object)
	}
	x := &access{id: len(c.accesses), object: id, source: a, path: sc.path}
	var q quotients
	form, ok := expr.AffineOf(a.Offset)
	if !ok {
		x.exact = a.Offset
		form = q.affine(a.Offset, len(c.vars), c.box)
		for _, l := range sc.path {
			if len(q.ties) > 0 && !l.hiExact {
				q.bounded(l, len(c.vars), c.box)
			}
		}
	}
	x.offset = form
	if err := x.buildSystem(sc, &q, len(c.vars), c.box); err != nil {
		return nil, err
	}
	c.accesses = append(c.accesses, x)
	return x, nil
}
