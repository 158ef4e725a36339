package traffic

import (
	"foresee/application/nest"
	"foresee/model/reuse"
)

// firstUses gives, by reference, the share of all first uses of lines in their group of threads: those of lines that are new, and those of lines that only
// other groups have used before.
func firstUses(p *nest.Program, s *nest.Stream, sampled *reuse.Sampled) []float64 {
	out := firstOfAll(p, s, sampled.Last)
	fresh, known := 0, 0
	for _, n := range sampled.Last {
		fresh += n
	}
	for _, n := range sampled.Elsewhere {
		known += n
	}
	if known == 0 {
		return out
	}
	for r := range out {
		out[r] *= float64(fresh) / float64(fresh+known)
		if r < len(sampled.Elsewhere) {
			out[r] += float64(sampled.Elsewhere[r]) / float64(fresh+known)
		}
	}
	return out
}

// firstOfAll gives, by reference, the share of all uses of lines that are new to all threads. Samples tell which reference uses a line last; as many of an
// object's lines are used a first time, by the references that come to the object first: those of its earliest phase.
func firstOfAll(p *nest.Program, s *nest.Stream, last []int) []float64 {
	phase := parts(p)
	type lines struct {
		phase, all, there int
		references        []int
	}
	objects := map[string]*lines{}
	sum := 0
	for r := range s.References() {
		a := s.Reference(r)
		o := objects[a.Object.Name]
		if o == nil || phase[keyOf(a)] < o.phase {
			all := 0
			if o != nil {
				all = o.all
			}
			o = &lines{phase: phase[keyOf(a)], all: all}
			objects[a.Object.Name] = o
		}
		n := 0
		if r < len(last) {
			n = last[r]
		}
		o.all += n
		sum += n
		if phase[keyOf(a)] == o.phase {
			o.there += n
			o.references = append(o.references, r)
		}
	}
	out := make([]float64, s.References())
	for _, o := range objects {
		leader := map[string]int{} // of references to the same place: the first to come
		for _, r := range o.references {
			if _, ok := leader[s.Reference(r).Text]; !ok {
				leader[s.Reference(r).Text] = r
			}
		}
		for _, r := range o.references {
			share := 1 / float64(len(o.references))
			if o.there > 0 {
				share = 0
				if r < len(last) {
					share = float64(last[r]) / float64(o.there)
				}
			}
			out[leader[s.Reference(r).Text]] += share * float64(o.all) / float64(max(sum, 1))
		}
	}
	return out
}

// accessKey names an access of the source: streams have copies of it.
type accessKey struct {
	pos   nest.Pos
	write bool
}

func keyOf(a *nest.Access) accessKey { return accessKey{a.Pos, a.Write} }

// parts numbers what a program does one after the other: its outermost loops, and statements outside them.
func parts(p *nest.Program) map[accessKey]int {
	out := map[accessKey]int{}
	now := 0
	var visit func(nodes []nest.Node)
	visit = func(nodes []nest.Node) {
		for _, n := range nodes {
			switch n := n.(type) {
			case *nest.Parallel:
				visit(n.Body)
			case *nest.Single:
				visit(n.Body)
			case *nest.Critical:
				visit(n.Body)
			case *nest.If:
				visit(n.Then)
				visit(n.Else)
			default:
				now++
				nest.Walk([]nest.Node{n}, func(inner nest.Node) {
					if s, ok := inner.(*nest.Stmt); ok {
						for _, a := range s.Accesses {
							out[keyOf(a)] = now
						}
					}
				})
			}
		}
	}
	visit(p.Body)
	return out
}
