package lower

import (
	"cmp"
	"maps"
	"slices"

	"foresee/application/csource/tree"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// extract makes a program of some nodes of the lowerer: with the variables, scalars and objects that they use.
func (l *lowerer) extract(region string, pos nest.Pos, nodes []nest.Node, warnings []string) *nest.Program {
	x := &extraction{
		from: l.prog, prog: &nest.Program{Region: region, Pos: pos, Body: nodes, Warnings: warnings},
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
	s.Accesses = slices.Delete(s.Accesses, load, load+1)
	s.Flow = slices.DeleteFunc(s.Flow, func(op nest.Operation) bool {
		return len(op.Args) == 1 && op.Args[0] == nest.Value{Kind: nest.Load, N: load}
	})
	behind := func(v *nest.Value) {
		if (v.Kind == nest.Load || v.Kind == nest.Store) && v.N > load {
			v.N--
		}
	}
	for i := range s.Flow {
		for j := range s.Flow[i].Args {
			behind(&s.Flow[i].Args[j])
		}
		behind(&s.Flow[i].Out)
	}
}
