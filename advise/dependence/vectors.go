package dependence

import (
	"slices"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// Sign is how an iteration of a loop lies to another one: 1 where the second is later, 0 where they are the same.
type Sign int8

// Reference is an access with what it stands in.
type Reference struct {
	Access *nest.Access
	Loops  []*nest.Loop // around it, from the nest's outermost loop inwards
	conds  []*expr.Expr
	Order  int // in the text
}

// Dependence is a pair of accesses of which From is made before To, and both touch memory that one of them writes.
type Dependence struct {
	From, To *Reference
	Common   []*nest.Loop // around both
	Vector   []Sign       // of the common loops
}

// Nest is a loop with all that it runs, in a program.
type Nest struct {
	Program    *nest.Program
	Loop       *nest.Loop
	References []*Reference
	around     []*nest.Loop // enclosing loops
	limits     []*expr.Expr // conditions of enclosing ifs
	asked      int          // variables of systems that were looked at
}

// How many accesses in the text of a nest are looked at, and how many variables of systems, all together. Chosen: either takes a second, while there are up to
// three to the power of the loops of vectors.
const (
	mostReferences = 300
	mostAsked      = 60_000
)

// Find gives the nests of a program whose loop stands at a place; several where a function is inlined more than once.
func Find(p *nest.Program, at nest.Pos) (all []*Nest) {
	var walk func(nodes []nest.Node, around []*nest.Loop, conds []*expr.Expr)
	walk = func(nodes []nest.Node, around []*nest.Loop, conds []*expr.Expr) {
		for _, n := range nodes {
			switch n := n.(type) {
			case *nest.Loop:
				if n.Pos == at {
					x := &Nest{Program: p, Loop: n, around: slices.Clone(around), limits: slices.Clone(conds)}
					x.collect([]nest.Node{n}, nil, nil)
					all = append(all, x)
				}
				walk(n.Body, append(slices.Clone(around), n), conds)
			case *nest.If:
				walk(n.Then, around, append(slices.Clone(conds), n.Cond))
				walk(n.Else, around, append(slices.Clone(conds), expr.Unary(expr.OpNot, n.Cond)))
			case *nest.Parallel:
				walk(n.Body, around, conds)
			case *nest.Single:
				walk(n.Body, around, conds)
			case *nest.Critical:
				walk(n.Body, around, conds)
			}
		}
	}
	walk(p.Body, nil, nil)
	return all
}

// collect lists the accesses below nodes.
func (x *Nest) collect(nodes []nest.Node, loops []*nest.Loop, conds []*expr.Expr) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *nest.Loop:
			x.collect(n.Body, append(slices.Clone(loops), n), conds)
		case *nest.If:
			x.collect(n.Then, loops, append(slices.Clone(conds), n.Cond))
			x.collect(n.Else, loops, append(slices.Clone(conds), expr.Unary(expr.OpNot, n.Cond)))
		case *nest.Parallel:
			x.collect(n.Body, loops, conds)
		case *nest.Single:
			x.collect(n.Body, loops, conds)
		case *nest.Critical:
			x.collect(n.Body, loops, conds)
		case *nest.Stmt:
			for _, a := range n.Accesses {
				x.References = append(x.References, &Reference{a, loops, conds, len(x.References)})
			}
		}
	}
}

// TooLarge says that a nest has more accesses than are looked at.
func (x *Nest) TooLarge() bool { return len(x.References) > mostReferences }

// Dependences are all of a nest, without those through the objects that own says to be an iteration's own; false where they are not known, as
// too much would have to be looked at.
func (x *Nest) Dependences(own func(*nest.Object) bool) (all []*Dependence, known bool) {
	for _, a := range x.References {
		for _, b := range x.References {
			if a.Access.Object != b.Access.Object || !a.Access.Write && !b.Access.Write || own(a.Access.Object) {
				continue
			}
			q := x.pair(a, b)
			for _, v := range q.vectors(a.Order < b.Order) {
				all = append(all, &Dependence{a, b, q.common, v})
			}
			if x.asked > mostAsked {
				return nil, false
			}
		}
	}
	return all, true
}

// pair is a question about two accesses: which iterations of theirs touch the same memory.
type pair struct {
	*system
	common      []*nest.Loop
	differences []int // variable of the difference of each common loop
	steps       []int64
}

// pair sets up the system: variables are those of enclosing loops, those of the first iteration, the differences of the common loops, those of
// the second iteration's other loops, the counts of steps, and the place within the accesses.
func (x *Nest) pair(a, b *Reference) *pair {
	q := &pair{system: &system{asked: &x.asked}}
	for i := range min(len(a.Loops), len(b.Loops)) {
		if a.Loops[i] != b.Loops[i] {
			break
		}
		q.common = append(q.common, a.Loops[i])
	}
	first := map[expr.Var]int{}
	for _, l := range slices.Concat(x.around, a.Loops) {
		first[l.Var] = q.n
		q.n++
	}
	diff, second := map[expr.Var]int{}, map[expr.Var]int{}
	for _, l := range q.common {
		diff[l.Var] = q.n
		q.differences, q.steps = append(q.differences, q.n), append(q.steps, l.Step)
		q.n++
	}
	for _, l := range b.Loops[len(q.common):] {
		second[l.Var] = q.n
		q.n++
	}
	place := q.n
	counts := place + 1
	q.n = counts + len(x.around) + len(a.Loops) + len(b.Loops)
	one := func(f expr.Affine) (form, bool) { return q.translate(f, first, nil, nil) }
	two := func(f expr.Affine) (form, bool) { return q.translate(f, first, diff, second) }
	for _, l := range slices.Concat(x.around, a.Loops) {
		q.bounds(l, one, counts)
		counts++
	}
	for _, l := range b.Loops {
		q.bounds(l, two, counts)
		counts++
	}
	q.conditions(slices.Concat(x.limits, a.conds), one)
	q.conditions(b.conds, two)
	q.meeting(a.Access, b.Access, place, one, two)
	return q
}

// translate writes an affine form of loop variables in those of the system: in a second iteration with the differences added.
func (s *system) translate(f expr.Affine, first, diff, second map[expr.Var]int) (form, bool) {
	out := s.form()
	out.k = f.K
	for _, t := range f.Terms {
		if i, ok := second[t.V]; ok {
			out.c[i] += t.C
			continue
		}
		i, ok := first[t.V]
		if !ok {
			return out, false
		}
		out.c[i] += t.C
		if d, ok := diff[t.V]; ok {
			out.c[d] += t.C
		}
	}
	return out, true
}

// bounds says where the variable of a loop lies, as one iteration has it.
func (q *pair) bounds(l *nest.Loop, in func(expr.Affine) (form, bool), count int) {
	lo, hi := l.Lo, l.Hi
	if l.Step < 0 {
		lo, hi = hi, lo
	}
	v := expr.Affine{Terms: []expr.Term{{V: l.Var, C: 1}}}
	parts, _ := expr.BoundList(lo, true)
	for _, r := range parts {
		if f, ok := in(v.Scaled(r.Den).Plus(r.Form, -1)); ok {
			q.atLeast = append(q.atLeast, f)
		}
	}
	parts, _ = expr.BoundList(hi, false)
	for _, r := range parts {
		if f, ok := in(r.Form.Plus(v, -r.Den)); ok {
			q.atLeast = append(q.atLeast, f)
		}
	}
	if l.Step == 1 || l.Step == -1 {
		return
	}
	if begin, ok := expr.AffineOf(l.Lo); ok {
		if f, ok := in(v.Plus(begin, -1)); ok {
			f.c[count] -= l.Step
			q.zero = append(q.zero, f)
			positive := q.form()
			positive.c[count] = 1
			q.atLeast = append(q.atLeast, positive)
		}
	}
}

func (q *pair) conditions(all []*expr.Expr, in func(expr.Affine) (form, bool)) {
	for _, c := range all {
		forms, ok := expr.ConditionForms(c)
		if !ok {
			continue
		}
		for _, a := range forms {
			if f, ok := in(a); ok {
				q.atLeast = append(q.atLeast, f)
			}
		}
	}
}

// meeting says that both accesses touch one byte: their addresses differ by less than they are long.
func (q *pair) meeting(a, b *nest.Access, place int, one, two func(expr.Affine) (form, bool)) {
	x, ok1 := expr.AffineOf(a.Offset)
	y, ok2 := expr.AffineOf(b.Offset)
	if !ok1 || !ok2 {
		return
	}
	f, ok1 := one(x)
	g, ok2 := two(y)
	if !ok1 || !ok2 {
		return
	}
	for i := range g.c {
		g.c[i] -= f.c[i]
	}
	g.k -= f.k
	g.c[place] = -1 // g = place, which is above −(bytes of b) and below those of a
	q.zero = append(q.zero, g)
	low, high := q.form(), q.form()
	low.k, low.c[place] = b.Size-1, 1
	high.k, high.c[place] = a.Size-1, -1
	q.atLeast = append(q.atLeast, low, high)
}

// compared is the difference of a common loop's iterations with a sign: in the order in which the loop runs.
func (q *pair) compared(level int, s Sign) (zero, atLeast []form) {
	f := q.form()
	direction := int64(1)
	if q.steps[level] < 0 {
		direction = -1
	}
	if s == 0 {
		f.c[q.differences[level]] = 1
		return []form{f}, nil
	}
	f.k, f.c[q.differences[level]] = -1, direction*int64(s) // not a step: where it begins may depend on the loops around
	return nil, []form{f}
}

// vectors are the signs with which the second access comes after the first; same says that it does in one iteration of all loops.
func (q *pair) vectors(same bool) (all [][]Sign) {
	var search func(s *system, v []Sign)
	search = func(s *system, v []Sign) {
		if *s.asked > mostAsked || !s.feasible() {
			return
		}
		if len(v) == len(q.common) {
			if same || slices.ContainsFunc(v, func(s Sign) bool { return s != 0 }) {
				all = append(all, slices.Clone(v))
			}
			return
		}
		signs := []Sign{0, 1}
		if slices.ContainsFunc(v, func(s Sign) bool { return s != 0 }) {
			signs = []Sign{-1, 0, 1}
		}
		for _, sign := range signs {
			zero, atLeast := q.compared(len(v), sign)
			search(s.with(zero, atLeast), append(slices.Clone(v), sign))
		}
	}
	search(q.system, nil)
	return all
}

// Backwards tells whether an iteration of a loop touches memory that a later one of another loop touched, which both count the same: what fusing them
// would turn around, where the iterations of the second follow by so many. Crossing says whether any two iterations that differ do, so that the fused loop's are not
// independent.
func Backwards(a, b *Nest, behind int64, own func(*nest.Object) bool) (backwards, crossing bool) {
	for _, r := range a.References {
		for _, t := range b.References {
			if r.Access.Object != t.Access.Object || !r.Access.Write && !t.Access.Write || own(r.Access.Object) {
				continue
			}
			q := a.apart(r, t, b)
			earlier, later := q.form(), q.form()
			step := magnitude(a.Loop.Step)
			sign := a.Loop.Step / step
			earlier.k, earlier.c[q.differences[0]] = -step*(behind+1), -sign
			later.k, later.c[q.differences[0]] = -step, sign
			if q.with(nil, []form{earlier}).feasible() {
				return true, true
			}
			crossing = crossing || q.with(nil, []form{later}).feasible()
		}
	}
	return false, crossing
}

// apart is the question about accesses in two loops that follow one another: the difference is that of their variables.
func (x *Nest) apart(a, b *Reference, y *Nest) *pair {
	renamed := map[expr.Var]*expr.Expr{y.Loop.Var: expr.Ref(x.Loop.Var)}
	loops := []*nest.Loop{x.Loop}
	for _, l := range b.Loops[1:] {
		loops = append(loops, &nest.Loop{Var: l.Var, Lo: l.Lo.Substitute(renamed), Hi: l.Hi.Substitute(renamed), Step: l.Step})
	}
	access := *b.Access
	access.Offset = access.Offset.Substitute(renamed)
	var conds []*expr.Expr
	for _, c := range b.conds {
		conds = append(conds, c.Substitute(renamed))
	}
	return x.pair(a, &Reference{Access: &access, Loops: loops, conds: conds})
}

// Around are the loops around the nest.
func (x *Nest) Around() []*nest.Loop { return x.around }

// Meets tells whether two accesses may touch the same memory in iterations of the nest's loop, the loops around it being at one iteration.
func (x *Nest) Meets(a, b *Reference) bool { return x.pair(a, b).feasible() }

// Behind tells whether memory goes backwards from one access to another, both in loops directly in the nest's loop, which counts by one as they do: whether the second
// uses it after the first, one of them writes, and its place i + skew t + shift lies before the first's i + skew t, with t the variable of the nest's loop. What would
// take too much to find counts as yes.
func (x *Nest) Behind(a, b *Reference, skew, shift int64) bool {
	if a.Access.Object != b.Access.Object || !a.Access.Write && !b.Access.Write {
		return false
	}
	if len(a.Loops) < 2 || len(b.Loops) < 2 {
		return true
	}
	spent := x.asked
	defer func() { x.asked = spent }()
	q := x.pair(a, b)
	back := q.form()
	back.k = -1 - shift
	back.c[q.differences[0]] -= skew
	if len(q.common) > 1 {
		back.c[q.differences[1]]--
	} else {
		back.c[len(x.around)+1]++
		back.c[len(x.around)+len(a.Loops)+1]--
	}
	for _, v := range q.vectors(a.Order < b.Order) {
		s := q.with(nil, []form{back})
		for i, sign := range v {
			zero, atLeast := q.compared(i, sign)
			s = s.with(zero, atLeast)
		}
		if s.feasible() {
			return true
		}
	}
	return x.asked > mostAsked
}
