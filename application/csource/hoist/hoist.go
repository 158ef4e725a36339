// Package hoist keeps what only leads to other accesses in registers, as compilers do: pointers of rows, and elements of arrays that say where an access
// is. They are loaded once before a loop in which they stay the same, and once of several times in an iteration.
//
// By the types of C a store of a number does not change a pointer, but one of a single byte may. Loads under a condition stay there, and no load leaves a
// worksharing loop or a parallel region. Functions that are not known are taken to change no pointers: the program has nothing of their calls.
package hoist

import (
	"maps"
	"slices"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// Pointers gives the nodes of a function with its loads of pointers where compilers put them. The nodes given are changed.
func Pointers(nodes []nest.Node) []nest.Node { return list(nodes, held{}, 0) }

// held are the places, by object, whose content is in registers.
type held map[*nest.Object][]*expr.Expr

// has tells whether what an access loads is held.
func (h held) has(a *nest.Access) bool {
	return slices.ContainsFunc(h[a.Object], func(e *expr.Expr) bool { return expr.Equal(e, a.Offset) })
}

// add notes what an access loads.
func (h held) add(a *nest.Access) { h[a.Object] = append(slices.Clip(h[a.Object]), a.Offset) }

// list goes through nodes that run one after another; collapsed is how many loops directly in them are dealt to threads with those around.
func list(nodes []nest.Node, in held, collapsed int) []nest.Node {
	var out []nest.Node
	for _, n := range nodes {
		switch n := n.(type) {
		case *nest.Stmt:
			if dropKnown(n, in); len(n.Accesses)+len(n.Flow)+n.Branches == 0 {
				continue
			}
		case *nest.Loop:
			changed := storesOf(n.Body)
			changed.forget(in)
			dealt := collapsed - 1
			if n.Work != nil {
				dealt = n.Work.Collapse - 1
			}
			n.Body = list(n.Body, maps.Clone(in), max(dealt, 0))
			if n.Work == nil && collapsed <= 0 {
				if s := leaving(n, changed, in); s != nil {
					out = append(out, s)
				}
			}
		case *nest.If:
			storesOf(n.Then).forget(in)
			storesOf(n.Else).forget(in)
			n.Then, n.Else = list(n.Then, maps.Clone(in), 0), list(n.Else, maps.Clone(in), 0)
		case *nest.Parallel:
			n.Body = list(n.Body, held{}, 0)
			clear(in)
		case *nest.Single:
			n.Body = list(n.Body, held{}, 0)
			clear(in)
		case *nest.Critical:
			n.Body = list(n.Body, held{}, 0)
			clear(in)
		case *nest.Barrier:
			clear(in)
		}
		out = append(out, n)
	}
	return out
}

// dropKnown takes out the loads of a statement that are in registers already, and notes those that are from then on.
func dropKnown(s *nest.Stmt, in held) {
	stores := storesOf([]nest.Node{s})
	stores.forget(in)
	for i := 0; i < len(s.Accesses); i++ {
		if !onlyLeads(s, i) || stores.touch(s.Accesses[i].Object) {
			continue
		}
		if a := s.Accesses[i]; in.has(a) {
			drop(s, i)
			i--
		} else {
			in.add(a)
		}
	}
}

// leaving takes out of a loop what it loads alike in each iteration, and gives it as a statement; nil where there is nothing.
func leaving(n *nest.Loop, changed stores, in held) *nest.Stmt {
	out := &nest.Stmt{Pos: n.Pos}
	n.Body = slices.DeleteFunc(n.Body, func(x nest.Node) bool {
		s, ok := x.(*nest.Stmt)
		if !ok {
			return false
		}
		for i := 0; i < len(s.Accesses); i++ {
			a := s.Accesses[i]
			if !onlyLeads(s, i) || changed.touch(a.Object) || slices.Contains(expr.Variables(a.Offset), n.Var) {
				continue
			}
			t := s.Flow[moveOf(s, i)].Type
			drop(s, i)
			i--
			if !in.has(a) {
				in.add(a)
				out.Flow = append(out.Flow, nest.Operation{Kind: nest.Move, Type: t, Args: []nest.Value{{Kind: nest.Load, N: len(out.Accesses)}}})
				out.Accesses = append(out.Accesses, a)
			}
		}
		return len(s.Accesses)+len(s.Flow)+s.Branches == 0
	})
	if len(out.Accesses) == 0 {
		return nil
	}
	return out
}

// stores are what nodes write to: objects, of which those in one-byte pieces may be anything.
type stores struct {
	objects map[*nest.Object]bool
	bytes   bool
}

func storesOf(nodes []nest.Node) stores {
	all := stores{objects: map[*nest.Object]bool{}}
	nest.Walk(nodes, func(n nest.Node) {
		if s, ok := n.(*nest.Stmt); ok {
			for _, a := range s.Accesses {
				if a.Write {
					all.objects[a.Object] = true
					all.bytes = all.bytes || a.Size == 1
				}
			}
		}
	})
	return all
}

func (s stores) touch(o *nest.Object) bool { return s.bytes || s.objects[o] }

// forget drops what the stores may have changed.
func (s stores) forget(in held) {
	maps.DeleteFunc(in, func(o *nest.Object, _ []*expr.Expr) bool { return s.touch(o) })
}

// onlyLeads tells a load whose value goes into no operation: it says where others are.
func onlyLeads(s *nest.Stmt, access int) bool {
	return !s.Accesses[access].Write && s.Lane == nest.NoLane && moveOf(s, access) >= 0
}

// moveOf is the operation that reads an access and gives its value to nothing, −1 where there is none or others read it too.
func moveOf(s *nest.Stmt, access int) int {
	found := -1
	for i := range s.Flow {
		op := &s.Flow[i]
		for _, v := range op.Args {
			if v.Kind != nest.Load || v.N != access {
				continue
			}
			if op.Kind != nest.Move || op.Out.Kind != nest.None || found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// drop takes an access that only leads elsewhere out of a statement, with its operation.
func drop(s *nest.Stmt, access int) {
	gone := moveOf(s, access)
	s.Flow = slices.Delete(s.Flow, gone, gone+1)
	s.Accesses = slices.Delete(s.Accesses, access, access+1)
	renumber := func(v *nest.Value) {
		switch {
		case (v.Kind == nest.Load || v.Kind == nest.Store) && v.N > access, v.Kind == nest.Temp && v.N > gone:
			v.N--
		}
	}
	for i := range s.Flow {
		for j := range s.Flow[i].Args {
			renumber(&s.Flow[i].Args[j])
		}
		renumber(&s.Flow[i].Out)
	}
}
