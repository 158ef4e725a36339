package codegen

import (
	"math"
	"slices"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// vectors is what gcc makes of an innermost loop in vectors: so many iterations at once; checked says that it looks first whether arrays overlap.
type vectors struct {
	lanes   int64
	turn    int64 // iterations of the loop in one of it in vectors: as many as lanes, or fewer of a group that fills vectors
	width   int   // bytes
	checked bool
	packed  *nest.Loop // whose iterations they are
	group   *group     // of elements side by side; nil: there is none
	pairs   *pairs     // of every other element; nil: there are none
}

// half is vectors of half the width, in which gcc -O3 does the rest of a loop; nil below a whole register.
func (v *vectors) half() *vectors {
	if v.width <= sse {
		return nil
	}
	return &vectors{lanes: v.lanes / 2, turn: v.group.turn(v.lanes / 2), width: v.width / 2, checked: v.checked, packed: v.packed, group: v.group, pairs: v.pairs}
}

// inVectors says how an innermost loop is put in vectors by gcc 12's rules: each access goes on by its own size or stays, all values are of one
// size, or of two between which they are converted, and no iteration needs what one before it wrote. At -O2 (-fvect-cost-model=very-cheap) the number of iterations must be known and a
// multiple of the lanes, and nothing may have to be checked at run time; -O3 allows both. Sums of floating point keep their order: what is added is computed in
// vectors, and added number by number. Sums of nothing but elements are left as they are: gcc takes those apart again.
func (b *builder) inVectors(l *nest.Loop, statements []*nest.Stmt) *vectors {
	if b.target.Level < 2 || b.target.Scalar || l.Step != 1 && l.Step != -1 || large(statements) {
		return nil
	}
	sizes, group := &sizesOfValues{}, groupOf(l, statements)
	var every *pairs
	if p, ok := pairsOf(l, statements); ok && group == nil {
		every = p
	}
	for _, s := range statements {
		if s.Lane != nest.NoLane {
			return nil
		}
		for _, op := range s.Flow {
			if !b.packs(op) {
				return nil
			}
			sizes.add(sizeOf(op.Type))
			if op.Kind == nest.Convert {
				sizes.add(sizeOf(op.From))
				sizes.converted = true
			}
		}
		for _, a := range s.Accesses {
			step := a.Advance(l)
			if group != nil {
				step /= group.members
			}
			if every.of(a) {
				step /= 2
			}
			sizes.add(a.Size)
			if step != 0 && step != a.Size*l.Step || step == 0 && a.Write || l.Step < 0 && b.target.Level < 3 {
				return nil
			}
		}
	}
	if !sizes.fit() || b.carries(statements) {
		return nil
	}
	v := b.widest(l, statements, sizes, group)
	if v != nil {
		v.pairs = every
	}
	return v
}

// sizesOfValues are the bytes of the values that a loop works on.
type sizesOfValues struct {
	least, most int64
	converted   bool // values become others
}

func (s *sizesOfValues) add(size int64) {
	if s.least == 0 {
		s.least = size
	}
	s.least, s.most = min(s.least, size), max(s.most, size)
}

// fit says whether vectors of the larger hold as many of the smaller.
func (s *sizesOfValues) fit() bool {
	return s.most > 0 && (s.least == s.most || s.converted && s.least == 4 && s.most == 8)
}

// widest are the widest vectors in which iterations of a loop are done at once: at -O2 those of which the iterations are a multiple, down to two
// numbers of four bytes in half a register.
func (b *builder) widest(l *nest.Loop, statements []*nest.Stmt, sizes *sizesOfValues, group *group) *vectors {
	n, known := trip(l)
	for width := b.target.Vector; width >= 2*int(sizes.most) && width >= sse/2; width /= 2 {
		lanes := int64(width) / sizes.most
		v := &vectors{lanes: lanes, turn: group.turn(lanes), width: width, packed: l, group: group}
		atOnce := v.turn * sizes.most / sizes.least
		apart, checked := b.independent(l, statements, v.lanes)
		v.checked = checked
		switch {
		case !apart:
		case b.target.Level < 3 && (checked || !known || n == 0 || n%atOnce != 0):
		case known && n < v.turn:
		default:
			return v
		}
	}
	return nil
}

// aroundVectors says how a loop with one inner loop is put in vectors, whose lanes each go through the inner loop: where its bounds are the same for all.
func (b *builder) aroundVectors(n *loop) *vectors {
	if b.target.Level < 2 || n.loop.Step != 1 {
		return nil
	}
	var statements []*nest.Stmt
	var inner *loop
	for _, x := range n.body {
		switch x := x.(type) {
		case *statement:
			statements = append(statements, x.stmt)
		case *entered:
		case *loop:
			own, plain := innermost(x.body)
			if inner != nil || !plain || varies(x.loop.Lo, n.loop.Var) || varies(x.loop.Hi, n.loop.Var) {
				return nil
			}
			inner = x
			statements = append(statements, own...)
		default:
			return nil
		}
	}
	if inner == nil {
		return nil
	}
	if own, _ := innermost(inner.body); !onlySums(own) {
		return nil
	}
	return b.inVectors(n.loop, statements)
}

// onlySums says whether what goes from one iteration of a loop to the next is sums and the like, each made by one operation.
func onlySums(statements []*nest.Stmt) bool {
	set, own, before := map[int]int{}, map[int]bool{}, map[int]bool{}
	for _, s := range statements {
		for _, op := range s.Flow {
			for _, a := range op.Args {
				if a.Kind != nest.Scalar {
					continue
				}
				before[a.N] = before[a.N] || set[a.N] == 0
				own[a.N] = own[a.N] || op.Out == a && op.Kind == nest.Add
			}
			if op.Out.Kind == nest.Scalar {
				set[op.Out.N]++
			}
		}
	}
	for n, times := range set {
		if before[n] && (times > 1 || !own[n]) {
			return false
		}
	}
	return true
}

// varies says whether an expression has a variable in it.
func varies(e *expr.Expr, v expr.Var) bool {
	found := false
	e.EachVar(func(x expr.Var) { found = found || x == v })
	return found
}

// mostAccesses is of how many accesses each is compared with each. Chosen: more than loops have that somebody wrote; what is longer has neither
// vectors, nor elements that stay in registers.
const mostAccesses = 512

// large says whether a body is too long for that.
func large(statements []*nest.Stmt) bool {
	n := 0
	for _, s := range statements {
		n += len(s.Accesses)
	}
	return n > mostAccesses
}

// packs says whether an operation is one of those that compilers have for vectors without further libraries.
func (b *builder) packs(op nest.Operation) bool {
	switch op.Kind {
	case nest.Move, nest.Logic:
		return true
	case nest.Add:
		return true
	case nest.FMA:
		return b.target.FMA
	case nest.Convert:
		return op.Rounds() && b.target.Vector >= avx2 || ofLanes[[2]nest.Type{op.From, op.Type}] != ""
	case nest.Mul:
		return op.Type.IsFloat() || op.Type == nest.I32
	case nest.Div:
		return op.Type.IsFloat()
	case nest.Sqrt: // else it may set errno
		return op.Type.IsFloat() && b.target.Fast
	case nest.Select:
		return !b.target.calls(&op) && (len(op.Args) < 3 && (op.Type.IsFloat() || b.target.Vector >= avx2) || b.target.Level >= 3)
	case nest.Compare:
		return b.target.Level >= 3
	}
	return false
}

// carries says whether a scalar goes from one iteration to the next, in a way that keeps floating point out of vectors.
func (b *builder) carries(statements []*nest.Stmt) bool {
	ordered := orderedSums(statements)
	written := map[int]bool{}
	read := map[int]bool{}
	for _, s := range statements {
		for _, op := range s.Flow {
			for _, a := range op.Args {
				if a.Kind == nest.Scalar && !written[a.N] {
					read[a.N] = true
				}
			}
			if op.Out.Kind == nest.Scalar {
				written[op.Out.N] = true
			}
		}
	}
	for n := range written {
		if read[n] && !b.target.Fast && !ordered[n] {
			return true
		}
	}
	return false
}

// orderedSums are the scalars that a loop adds to once in an iteration, something that it has to compute, and reads nowhere else.
func orderedSums(statements []*nest.Stmt) map[int]bool {
	sums, others, work := map[int]int{}, map[int]bool{}, 0
	for _, s := range statements {
		for _, op := range s.Flow {
			if sum, ok := addsTo(&op); ok {
				sums[sum]++
				continue
			}
			if op.Type.IsFloat() && op.Kind != nest.Move {
				work++
			}
			for _, v := range append(slices.Clip(op.Args), op.Out) {
				if v.Kind == nest.Scalar {
					others[v.N] = true
				}
			}
		}
	}
	ordered := map[int]bool{}
	for n, times := range sums {
		ordered[n] = times == 1 && !others[n] && work > 0
	}
	return ordered
}

// addsTo is the scalar that an operation adds to.
func addsTo(op *nest.Operation) (int, bool) {
	if op.Kind != nest.Add || !op.Type.IsFloat() || op.Out.Kind != nest.Scalar || len(op.Args) != 2 {
		return 0, false
	}
	return op.Out.N, op.Args[0] == op.Out && op.Args[1] != op.Out || op.Args[1] == op.Out && op.Args[0] != op.Out && !op.Minus
}

// independent says whether so many iterations of a loop may be done at once, and whether that must be looked at when the program runs.
func (b *builder) independent(l *nest.Loop, statements []*nest.Stmt, lanes int64) (apart, checked bool) {
	var all []*nest.Access
	for _, s := range statements {
		all = append(all, s.Accesses...)
	}
	for _, w := range all {
		if !w.Write {
			continue
		}
		for _, a := range all {
			if a == w {
				continue
			}
			if a.Object != w.Object {
				checked = checked || mayAlias(a.Object, w.Object)
				continue
			}
			apart, mustCheck := b.apartBy(l, w, a, lanes)
			if !apart {
				return false, false
			}
			checked = checked || mustCheck
		}
	}
	return true, checked
}

// mayAlias says whether a compiler must take two objects for parts of one.
func mayAlias(a, b *nest.Object) bool {
	unsure := func(o *nest.Object) bool { return o.Aliased || o.Loaded || o.Unseen }
	return a != b && a.Elem == b.Elem && unsure(a) && unsure(b)
}

// apartBy says whether a write and another access of the same object meet in no two of so many iterations that follow one another.
func (b *builder) apartBy(l *nest.Loop, w, a *nest.Access, lanes int64) (apart, checked bool) {
	x, okX := expr.AffineOf(w.Offset)
	y, okY := expr.AffineOf(a.Offset)
	if !okX || !okY { // as rows lie of which a run told where
		return true, !expr.Equal(w.Offset, a.Offset)
	}
	step := x.Coefficient(l.Var) * l.Step
	if step != y.Coefficient(l.Var)*l.Step {
		return y.Coefficient(l.Var) == 0 && (!sameRow(x.Plus(y, -1), a.Size) || b.beside(l, x, y, a.Size)), true
	}
	d := x.Plus(y, -1)
	if len(d.Terms) > 0 {
		return true, true
	}
	if step == 0 || d.K%step != 0 {
		return true, false
	}
	distance := d.K / step // iterations after which a comes to where w was
	if a.Write {
		return distance == 0 || distance >= lanes || -distance >= lanes, false
	}
	return distance <= 0 || distance >= lanes, false
}

// sameRow says whether accesses are as far apart as indices of one row tell: an element that stays may be one of those that are written.
func sameRow(distance expr.Affine, size int64) bool {
	for _, t := range distance.Terms {
		if t.C != size && t.C != -size {
			return false
		}
	}
	return true
}

// beside says whether what a loop writes lies all behind an element of its row that stays, or all in front of it: where a check when the program runs
// finds so.
func (b *builder) beside(l *nest.Loop, written, still expr.Affine, size int64) bool {
	first, last := l.Lo, l.Hi
	if written.Coefficient(l.Var) < 0 {
		first, last = last, first
	}
	lowest, ok := b.atBound(written, l.Var, first)
	if ok && b.least(lowest.Plus(still, -1)) >= size {
		return true
	}
	highest, ok := b.atBound(written, l.Var, last)
	return ok && b.least(still.Plus(highest, -1)) >= size
}

// atBound puts a bound in the place of a variable.
func (b *builder) atBound(a expr.Affine, v expr.Var, bound *expr.Expr) (expr.Affine, bool) {
	x, ok := expr.AffineOf(bound)
	c := a.Coefficient(v)
	return a.Plus(expr.Affine{Terms: []expr.Term{{V: v, C: c}}}, -1).Plus(x, c), ok
}

// mostBounds is after how many bounds a form's least value is given up. Chosen: nests have few loops, whose bounds take in one another.
const mostBounds = 16

// least is a lower bound of an affine form, by the bounds of the loops whose variables are in it; the least integer where none is found.
func (b *builder) least(a expr.Affine) int64 {
	for range mostBounds {
		if len(a.Terms) == 0 {
			return a.K
		}
		t := a.Terms[len(a.Terms)-1] // the innermost first, as its bounds use the others
		l := b.loops[t.V]
		if l == nil {
			break
		}
		bound := l.Lo
		if t.C < 0 == (l.Step > 0) {
			bound = l.Hi
		}
		var ok bool
		if a, ok = b.atBound(a, t.V, bound); !ok {
			break
		}
	}
	return math.MinInt64
}
