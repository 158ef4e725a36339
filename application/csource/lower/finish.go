package lower

import (
	"cmp"
	"slices"

	"foresee/application/nest"
	"foresee/application/nest/expr"
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
