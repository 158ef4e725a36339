package codegen

import (
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// group is accesses to elements that lie side by side, of which each iteration takes all and does the same with each, such as to the members of a structure: gcc puts them in
// vectors as if the loop went through the elements one by one (superword-level parallelism).
type group struct {
	members int64
	of      map[*nest.Access]int64 // which member each is
}

// groupOf finds the group that a loop's statements make; nil where they make none.
func groupOf(l *nest.Loop, statements []*nest.Stmt) *group {
	members := membersOf(l, statements)
	if members < 2 || int64(len(statements))%members != 0 {
		return nil
	}
	each := len(statements) / int(members) // statements of a member
	inTurn := func(n int, m int64) int { return n*int(members) + int(m) }
	oneByOne := func(n int, m int64) int { return int(m)*each + n }
	for _, at := range []func(int, int64) int{inTurn, oneByOne} {
		g := &group{members, map[*nest.Access]int64{}}
		alike := true
		for n := range each {
			for m := range members {
				alike = alike && g.add(l, statements[at(n, 0)], statements[at(n, m)], m)
			}
		}
		if alike {
			return g
		}
	}
	return nil
}

// membersOf is how many elements each access goes on by, where that is the same for all that do not stay; else 0.
func membersOf(l *nest.Loop, statements []*nest.Stmt) (members int64) {
	for _, s := range statements {
		for _, a := range s.Accesses {
			step := a.Advance(l)
			if step == 0 && !a.Write {
				continue
			}
			if step <= 0 || step%a.Size != 0 || members != 0 && members != step/a.Size {
				return 0
			}
			members = step / a.Size
		}
	}
	return members
}

// add says whether a statement does with a member what another does with the first one, and notes its accesses.
func (g *group) add(l *nest.Loop, first, s *nest.Stmt, member int64) bool {
	if len(first.Accesses) != len(s.Accesses) || len(first.Flow) != len(s.Flow) {
		return false
	}
	for i, a := range s.Accesses {
		x := first.Accesses[i]
		if a.Object != x.Object || a.Write != x.Write || a.Size != x.Size {
			return false
		}
		if a.Advance(l) == 0 {
			continue
		}
		if !behind(x, a, member*a.Size) {
			return false
		}
		g.of[a] = member
	}
	for i := range s.Flow {
		if !alike(&first.Flow[i], &s.Flow[i]) {
			return false
		}
	}
	return true
}

// behind says whether an access is so many bytes behind another.
func behind(x, a *nest.Access, bytes int64) bool {
	p, rest := offsetOf(x.Offset)
	q, other := offsetOf(a.Offset)
	if rest.long || other.long || rest.text != other.text {
		return false
	}
	d := q.Plus(p, -1)
	return len(d.Terms) == 0 && d.K == bytes
}

// alike says whether two operations are the same, of other operands. None sets a variable.
func alike(x, y *nest.Operation) bool {
	if x.Kind != y.Kind || x.Type != y.Type || x.From != y.From || x.Name != y.Name || x.Minus != y.Minus || len(x.Args) != len(y.Args) || x.Out.Kind != y.Out.Kind || x.Out.Kind == nest.Scalar {
		return false
	}
	for i, a := range x.Args {
		b := y.Args[i]
		if a.Kind != b.Kind || (a.Kind == nest.Temp || a.Kind == nest.Load) && a.N != b.N {
			return false
		}
	}
	return true
}

// turn is how many iterations fill whole vectors of so many elements; g may be nil, for which it takes one for each element.
func (g *group) turn(lanes int64) int64 {
	turn := lanes
	for g != nil && turn%2 == 0 && g.members*turn/2%lanes == 0 {
		turn /= 2
	}
	return turn
}

// over says whether a statement is of a member for which no vector is left, where so many iterations fill vectors.
func (g *group) over(s *nest.Stmt, turn, lanes int64) bool {
	if g == nil || lanes == 1 {
		return false
	}
	for _, a := range s.Accesses {
		if m, ok := g.of[a]; ok {
			return m >= g.members*turn/lanes
		}
	}
	return false
}

// apart are the accesses as vectors of so many bytes make them: one behind another.
func (g *group) apart(width int) map[*nest.Access]*nest.Access {
	out := map[*nest.Access]*nest.Access{}
	for a, m := range g.of {
		moved := *a
		moved.Offset = expr.Binary(expr.OpAdd, a.Offset, expr.Int(m*(int64(width)-a.Size)))
		out[a] = &moved
	}
	return out
}
