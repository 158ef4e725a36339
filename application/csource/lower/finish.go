package lower

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// extract makes a program of some nodes of the lowerer: with the variables, scalars and objects that they use.
func (l *lowerer) extract(region string, pos nest.Pos, nodes []nest.Node, warnings []string) *nest.Program {
	x := &extraction{
		from: l.prog, prog: &nest.Program{Region: region, Pos: pos, Body: nodes, Warnings: warnings, Alone: l.prog.Alone},
		vars: map[expr.Var]*expr.Expr{}, scalars: map[int]int{}, objects: map[*nest.Object]bool{},
	}
	nest.Walk(nodes, x.declare)
	nest.Walk(nodes, x.rename)
	return x.prog
}

// warnings lists the warnings in source order; of one top-level node only, unless it is negative.
func (l *lowerer) warnings(node int) []string {
	notes := slices.Clone(l.notes)
	slices.SortStableFunc(notes, func(a, b note) int {
		return cmp.Or(cmp.Compare(a.pos.File, b.pos.File), cmp.Compare(a.pos.Line, b.pos.Line))
	})
	var all []string
	for _, n := range notes {
		if node < 0 || n.top == node || n.top < 0 {
			all = append(all, n.text)
		}
	}
	return all
}

// extraction renumbers what a program uses, from one program to another.
type extraction struct {
	from, prog *nest.Program
	vars       map[expr.Var]*expr.Expr // by number in from: the variable in prog
	scalars    map[int]int             // by number in from: the number in prog
	objects    map[*nest.Object]bool   // that prog has already
}

// declare numbers the variables of loops, outermost first.
func (x *extraction) declare(n nest.Node) {
	if l, ok := n.(*nest.Loop); ok {
		v := expr.Var(len(x.prog.Vars))
		x.prog.Vars = append(x.prog.Vars, x.from.Vars[l.Var])
		x.vars[l.Var] = expr.Ref(v)
		l.Var = v
	}
}

// rename gives a node of an extracted region the numbers of its own variables.
func (x *extraction) rename(n nest.Node) {
	switch n := n.(type) {
	case *nest.Loop:
		n.Lo, n.Hi = n.Lo.Substitute(x.vars), n.Hi.Substitute(x.vars)
	case *nest.If:
		n.Cond = n.Cond.Substitute(x.vars)
	case *nest.Stmt:
		for _, a := range n.Accesses {
			a.Offset = a.Offset.Substitute(x.vars)
			if !x.objects[a.Object] {
				x.objects[a.Object] = true
				x.prog.Objects = append(x.prog.Objects, a.Object)
			}
		}
		for i := range n.Flow {
			x.renameScalars(&n.Flow[i])
		}
	}
}

// renameScalars gives the scalars of an operation their numbers in the extracted region.
func (x *extraction) renameScalars(op *nest.Operation) {
	for i := range op.Args {
		x.renameScalar(&op.Args[i])
	}
	x.renameScalar(&op.Out)
}

// renameScalar gives a scalar its number in the extracted region.
func (x *extraction) renameScalar(v *nest.Value) {
	if v.Kind != nest.Scalar {
		return
	}
	n, ok := x.scalars[v.N]
	if !ok {
		n = len(x.prog.Scalars)
		x.prog.Scalars = append(x.prog.Scalars, x.from.Scalars[v.N])
		x.scalars[v.N] = n
	}
	v.N = n
}

// dropUnused leaves out the loads of numbers of structures that are copied into registers and that nothing reads there, as compilers do. Integers stay: what
// they decide is not all in the operations.
func (l *lowerer) dropUnused() {
	if len(l.copied) == 0 {
		return
	}
	used := l.membersUsed()
	nest.Walk(*l.out, func(n nest.Node) {
		s, ok := n.(*nest.Stmt)
		if !ok {
			return
		}
		for i, a := range slices.Backward(s.Accesses) {
			if to, copied := l.copied[a]; copied && !used[to] {
				dropLoad(s, i)
			}
		}
	})
}

// membersUsed are the scalars whose values are used: by the source, or by an operation that does not only move them to one that is not.
func (l *lowerer) membersUsed() map[int]bool {
	used := l.membersRead
	addressed := l.addressed()
	for k, n := range l.scalars {
		if k.d != nil && k.off > 0 && (!l.declared[k.d] || addressed[k.d]) { // others may read it
			used[n] = true
		}
	}
	from := map[int][]int{} // by scalar: those that are moved to it
	nest.Walk(*l.out, func(n nest.Node) {
		s, ok := n.(*nest.Stmt)
		if !ok {
			return
		}
		for _, op := range s.Flow {
			for _, a := range op.Args {
				switch {
				case a.Kind != nest.Scalar:
				case op.Kind == nest.Move && op.Out.Kind == nest.Scalar:
					from[op.Out.N] = append(from[op.Out.N], a.N)
				default:
					used[a.N] = true
				}
			}
		}
	})
	for next := slices.Collect(maps.Keys(used)); len(next) > 0; {
		n := next[len(next)-1]
		next = next[:len(next)-1]
		for _, a := range from[n] {
			if !used[a] {
				used[a] = true
				next = append(next, a)
			}
		}
	}
	return used
}

// addressed are the variables of which, or of members of which, the address is taken.
func (l *lowerer) addressed() map[*cc.Declarator]bool {
	if l.takenAddress != nil {
		return l.takenAddress
	}
	all := map[*cc.Declarator]bool{}
	l.takenAddress = all
	for _, fd := range l.Facts.ByName {
		tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
			u, ok := n.(*cc.UnaryExpression)
			if !ok || u.Case != cc.UnaryExpressionAddrof {
				return true
			}
			e := tree.Strip(u.CastExpression)
			for {
				member, ok := e.(*cc.PostfixExpression)
				if !ok || member.Case != cc.PostfixExpressionSelect {
					break
				}
				e = tree.Strip(member.PostfixExpression)
			}
			if d := tree.Variable(e); d != nil {
				all[d] = true
			}
			return true
		})
	}
	return all
}

// dropLoad takes a load and what moves its value out of a statement.
func dropLoad(s *nest.Stmt, load int) {
	s.Flow = slices.DeleteFunc(s.Flow, func(op nest.Operation) bool {
		return len(op.Args) == 1 && op.Args[0] == nest.Value{Kind: nest.Load, N: load}
	})
	replaceAccess(s, load, nest.Value{})
}

// keepElements moves the elements of local arrays to registers, as compilers do, where every subscript is a constant and no function that is not followed is
// given the array. Arrays that loops step through stay in memory.
func (l *lowerer) keepElements() {
	elements := l.localElements()
	if len(elements) == 0 {
		return
	}
	nest.Walk(*l.out, func(n nest.Node) {
		s, ok := n.(*nest.Stmt)
		if !ok {
			return
		}
		for i, a := range slices.Backward(s.Accesses) {
			if elements[a.Object] == nil {
				continue
			}
			number := l.scalarIndex(scalarKey{element: a.Object, off: a.Offset.K}, fmt.Sprintf("%s+%d", a.Object.Name, a.Offset.K))
			replaceAccess(s, i, nest.Value{Kind: nest.Scalar, N: number})
		}
	})
}

// localElements are the local arrays, and structures with arrays, that are accessed at constant places only, by place the size of what lies there.
func (l *lowerer) localElements() map[*nest.Object]map[int64]int64 {
	all := map[*nest.Object]map[int64]int64{}
	for k, o := range l.Objects {
		if l.declared[k.Variable] && !k.Heap() && !l.inMemory[o] {
			all[o] = map[int64]int64{}
		}
	}
	for _, o := range l.copies {
		if !l.inMemory[o] {
			all[o] = map[int64]int64{}
		}
	}
	for o, held := range l.Held {
		if held.Variable == nil && !l.inMemory[o] {
			all[o] = map[int64]int64{}
		}
	}
	var look func(nodes []nest.Node, parallel bool)
	look = func(nodes []nest.Node, parallel bool) {
		nest.Walk(nodes, func(n nest.Node) {
			switch n := n.(type) {
			case *nest.Parallel:
				if !parallel {
					look(n.Body, true)
				}
			case *nest.Stmt:
				for _, a := range n.Accesses {
					places := all[a.Object]
					if places == nil {
						continue
					}
					size, seen := places[a.Offset.K]
					if a.Offset.Op != expr.OpConst || seen && size != a.Size || parallel && !a.Object.Private {
						delete(all, a.Object)
						continue
					}
					places[a.Offset.K] = a.Size
				}
			}
		})
	}
	look(*l.out, false)
	maps.DeleteFunc(all, func(_ *nest.Object, places map[int64]int64) bool { return len(places) == 0 || overlap(places) })
	return all
}

// overlap says whether some of the scalars at places share bytes.
func overlap(places map[int64]int64) bool {
	end := int64(math.MinInt64)
	for _, off := range slices.Sorted(maps.Keys(places)) {
		if off < end {
			return true
		}
		end = off + places[off]
	}
	return false
}

// replaceAccess puts a scalar in the place of an access that is taken out, and counts those behind it anew.
func replaceAccess(s *nest.Stmt, access int, to nest.Value) {
	s.Accesses = slices.Delete(s.Accesses, access, access+1)
	in := func(v *nest.Value) {
		switch {
		case v.Kind != nest.Load && v.Kind != nest.Store:
		case v.N == access:
			*v = to
		case v.N > access:
			v.N--
		}
	}
	for i := range s.Flow {
		for j := range s.Flow[i].Args {
			in(&s.Flow[i].Args[j])
		}
		in(&s.Flow[i].Out)
	}
}

// span is a value's range; exact when both ends are taken, and each value of other variables goes with all of them.
type span struct {
	expr.Range
	exact bool
}

// boundsCheck looks for accesses outside their objects.
type boundsCheck struct {
	l      *lowerer
	vars   map[expr.Var]span     // of the loops around
	warned map[*nest.Object]bool // of these objects was warned already
	rows   map[string]int64      // how far rows are accessed that nothing places, by the name of the array of pointers; nil: not asked for
	top    int                   // number of the outermost node, which a warning belongs to
}

// checkBounds warns of accesses that are proven to lie outside their object, once for each object.
func (l *lowerer) checkBounds() {
	b := &boundsCheck{l: l, vars: map[expr.Var]span{}, warned: map[*nest.Object]bool{}}
	for i, n := range *l.root {
		b.top = i
		b.nodes([]nest.Node{n}, true)
	}
}

// nodes looks at the accesses of some nodes; exact says that they are made in any case.
func (b *boundsCheck) nodes(all []nest.Node, exact bool) {
	for _, n := range all {
		switch n := n.(type) {
		case *nest.Loop:
			b.loop(n, exact)
		case *nest.If:
			b.nodes(n.Then, false)
			b.nodes(n.Else, false)
		case *nest.Parallel:
			b.nodes(n.Body, exact)
		case *nest.Single:
			b.nodes(n.Body, exact)
		case *nest.Critical:
			b.nodes(n.Body, exact)
		case *nest.Stmt:
			for _, a := range n.Accesses {
				b.access(a, exact)
			}
		}
	}
}

// loop looks at a loop's body with the range of its variable, as far as that is known.
func (b *boundsCheck) loop(n *nest.Loop, exact bool) {
	lo, ok1 := value.Constant(n.Lo)
	hi, ok2 := value.Constant(n.Hi)
	s := span{exact: ok1 && ok2}
	if s.exact {
		if lo != hi && (n.Step > 0) == (lo > hi) {
			return // no iteration
		}
		hi = lo + (hi-lo)/n.Step*n.Step
		s.Range = expr.Range{Lo: min(lo, hi), Hi: max(lo, hi)}
	} else {
		first, last := b.interval(n.Lo), b.interval(n.Hi)
		s.Range = expr.Range{Lo: min(first.Lo, last.Lo), Hi: max(first.Hi, last.Hi)}
		exact = false // it may have no iterations
	}
	b.vars[n.Var] = s
	b.nodes(n.Body, exact)
	delete(b.vars, n.Var)
}

// interval is the range of an expression of the variables of the loops around.
func (b *boundsCheck) interval(e *expr.Expr) expr.Range {
	return e.Interval(func(v expr.Var) expr.Range { return b.vars[v].Range })
}

// mostRowLevels bounds how often a function is lowered for rows that nothing places. Chosen: arrays of two, of three and of four dimensions, members of structures, and once more for what these lead to.
const mostRowLevels = 6

// rowLengths are, by the name of the array of pointers, as many bytes as the rows are accessed that nothing places; 0 where that is not known, and Wanted
// where something could not be read without them.
func (l *lowerer) rowLengths(err *parse.Error) map[string]int64 {
	b := &boundsCheck{l: l, vars: map[expr.Var]span{}, warned: map[*nest.Object]bool{}, rows: map[string]int64{}}
	if (err != nil || len(l.left) > 0) && len(l.Varying) > 0 {
		for name := range l.Varying {
			b.rows[name] = value.Wanted
		}
		return b.rows
	}
	for _, name := range l.Unplaced {
		b.rows[name] = 0
	}
	b.nodes(*l.root, true)
	for name, bytes := range b.rows {
		if bytes >= value.Unbounded {
			b.rows[name] = 0
		}
	}
	return b.rows
}

// row notes how far a row is accessed that nothing places.
func (b *boundsCheck) row(a *nest.Access) {
	name, unplaced := b.l.Unplaced[a.Object]
	if !unplaced || b.rows == nil {
		return
	}
	at := b.interval(a.Offset)
	if at.Hi >= value.Unbounded {
		b.rows[name] = value.Unbounded
		return
	}
	b.rows[name] = max(b.rows[name], at.Hi+a.Size)
}

// access compares the least and the greatest offset of an access with the size of its object.
func (b *boundsCheck) access(a *nest.Access, exact bool) {
	b.row(a)
	o := a.Object
	if o.Bytes <= 0 || b.warned[o] {
		return
	}
	r, ok := value.LinearOf(a.Offset)
	if !ok {
		return
	}
	at := b.interval(r.Expr())
	at.Hi += a.Size - 1
	if at.Lo >= 0 && at.Hi < o.Bytes || at.Lo < -value.Unbounded || at.Hi > value.Unbounded {
		return
	}
	exact = exact && r.Plain()
	for v := range r.Vars {
		exact = exact && b.vars[v].exact
	}
	if !exact && at.Hi >= 0 && at.Lo < o.Bytes { // some of it may lie within, and the ends may never be reached
		return
	}
	b.warned[o] = true
	b.l.notes = append(b.l.notes, note{a.Pos, fmt.Sprintf("%s:%d: %s reaches bytes %d to %d of %s, which has %d bytes",
		a.Pos.File, a.Pos.Line, a.Text, at.Lo, at.Hi, o.Name, o.Bytes), b.top})
}
