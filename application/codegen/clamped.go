package codegen

import (
	"slices"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// clamped puts in the place of loads from one of several elements, which something chooses that stays the same while a loop with this variable runs, one
// load from an address that is chosen: compilers do that once, before the loop, as with a[i > 0 ? i - 1 : 0][j] in a loop over j.
func clamped(body []nest.Node, v expr.Var) []nest.Node {
	direct, all := map[int]int{}, map[int]int{} // how often each scalar is read, by the body's own statements and by all
	nest.Walk(body, func(x nest.Node) { reads(x, all) })
	for _, n := range body {
		reads(n, direct)
	}
	chosen := map[int]*nest.Access{}
	var out []nest.Node
	for _, n := range body {
		switch n := n.(type) {
		case *nest.If:
			scalar, a, ok := eitherLoad(n, v)
			switch {
			case !ok:
				out = append(out, n)
			case direct[scalar] == 1 && all[scalar] == 1:
				chosen[scalar] = a
			default:
				s := *first(n)
				s.Accesses = []*nest.Access{a}
				out = append(out, &s)
			}
		case *nest.Stmt:
			out = append(out, loading(n, chosen))
		default:
			out = append(out, n)
		}
	}
	return out
}

// first is the first statement of what is chosen from.
func first(n *nest.If) *nest.Stmt {
	if s, ok := n.Then[0].(*nest.Stmt); ok {
		return s
	}
	return first(n.Then[0].(*nest.If))
}

// eitherLoad gives the scalar that both arms load and the access that stands for both; false where they do something else, or where what chooses has the
// variable in it.
func eitherLoad(n *nest.If, v expr.Var) (scalar int, a *nest.Access, ok bool) {
	if varies(n.Cond, v) {
		return 0, nil, false
	}
	x, then, okThen := loaded(n.Then, v)
	y, els, okElse := loaded(n.Else, v)
	if !okThen || !okElse || x != y || then.Object != els.Object || then.Size != els.Size {
		return 0, nil, false
	}
	one := *then
	one.Offset = expr.Conditional(n.Cond, then.Offset, els.Offset)
	return x, &one, true
}

// loaded gives the scalar that an arm loads, and from where; false where it does anything else.
func loaded(arm []nest.Node, v expr.Var) (scalar int, a *nest.Access, ok bool) {
	if len(arm) != 1 {
		return 0, nil, false
	}
	switch n := arm[0].(type) {
	case *nest.If:
		return eitherLoad(n, v)
	case *nest.Stmt:
		if len(n.Accesses) != 1 || n.Accesses[0].Write || len(n.Flow) != 1 || n.Lane != nest.NoLane {
			return 0, nil, false
		}
		op := n.Flow[0]
		return op.Out.N, n.Accesses[0], op.Kind == nest.Move && op.Out.Kind == nest.Scalar && len(op.Args) == 1 && op.Args[0].Kind == nest.Load
	}
	return 0, nil, false
}

// reads counts how often a statement reads each scalar; other nodes read none by themselves.
func reads(n nest.Node, counts map[int]int) {
	s, ok := n.(*nest.Stmt)
	if !ok {
		return
	}
	for _, op := range s.Flow {
		for _, a := range op.Args {
			if a.Kind == nest.Scalar {
				counts[a.N]++
			}
		}
	}
}

// loading is a statement with loads in the place of scalars.
func loading(s *nest.Stmt, from map[int]*nest.Access) *nest.Stmt {
	out := s
	for i, op := range s.Flow {
		for k, a := range op.Args {
			load := from[a.N]
			if a.Kind != nest.Scalar || load == nil {
				continue
			}
			if out == s {
				own := *s
				own.Accesses = slices.Clone(s.Accesses)
				own.Flow = slices.Clone(s.Flow)
				out = &own
			}
			args := slices.Clone(out.Flow[i].Args)
			args[k] = nest.Value{Kind: nest.Load, N: len(out.Accesses)}
			out.Flow[i].Args = args
			out.Accesses = append(out.Accesses, load)
		}
	}
	return out
}
