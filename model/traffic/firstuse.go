package traffic

import (
	"maps"
	"slices"

	"foresee/application/nest"
	"foresee/model/reuse"
)

// firstUses gives, by reference, the share of all first uses of lines in their group of threads: those of lines that are new, and those of lines that only
// other groups have used before.
func (t *Source) firstUses(s *nest.Stream, sampled *reuse.Sampled, line int64) []float64 {
	users := t.firstUsers(line)
	lines := sampled.Distances.FirstUses() * float64(s.Len())
	fresh, known := 0, 0
	for _, n := range sampled.Last {
		fresh += n
	}
	for _, n := range sampled.Elsewhere {
		known += n
	}
	if known == 0 {
		return t.firstOfAll(users, s, sampled.Last, lines)
	}
	own := float64(fresh) / float64(fresh+known)
	out := t.firstOfAll(users, s, sampled.Last, lines*own)
	for r := range out {
		out[r] *= own
		if r < len(sampled.Elsewhere) {
			out[r] += float64(sampled.Elsewhere[r]) / float64(fresh+known)
		}
	}
	return out
}

// firstOfAll gives, by reference, the share of all uses of lines that are new to all threads, of which there are so many. Samples tell which reference
// uses a line last; as many of an object's lines are used a first time, by the references that lines which were drawn tell. Where they do not, by those
// that come to the object first: those of its earliest phase, as far as these make so many accesses, then those of the next. A statement before a
// loop uses one line.
func (t *Source) firstOfAll(users map[string]firstUsers, s *nest.Stream, last []int, lines float64) []float64 {
	used := map[string]*uses{}
	var names []string
	sum := 0
	for r := range s.References() {
		a := s.Reference(r)
		o := used[a.Object.Name]
		if o == nil {
			o = &uses{phases: map[int][]int{}}
			used[a.Object.Name] = o
			names = append(names, a.Object.Name)
		}
		phase := t.phase[keyOf(a)]
		o.phases[phase] = append(o.phases[phase], r)
		if r < len(last) {
			o.lines += last[r]
			sum += last[r]
		}
	}
	out := make([]float64, s.References())
	for _, name := range names {
		o := used[name]
		left := float64(o.lines) / float64(max(sum, 1))
		if by := users[name]; by != nil {
			by.share(out, s, o.phases, left)
			continue
		}
		order := slices.Sorted(maps.Keys(o.phases))
		for i, n := range order {
			here := left
			if accesses := madeBy(s, o.phases[n], t.counts); i < len(order)-1 && accesses > 0 && lines > 0 {
				here = min(left, accesses/lines)
			}
			share(out, s, o.phases[n], last, here)
			left -= here
		}
	}
	return out
}

// uses are what a program does with one object.
type uses struct {
	phases map[int][]int // references, by their phase
	lines  int           // samples of a line's last use
}

// madeBy is how many accesses references make.
func madeBy(s *nest.Stream, references []int, counts map[accessKey]float64) float64 {
	sum, seen := 0.0, map[accessKey]bool{}
	for _, r := range references {
		if key := keyOf(s.Reference(r)); !seen[key] {
			seen[key] = true
			sum += counts[key]
		}
	}
	return sum
}

// share deals first uses to the references of a phase in proportion to last uses; of those to the same place the first to come has them.
func share(out []float64, s *nest.Stream, references, last []int, all float64) {
	there := 0
	leader := map[string]int{}
	for _, r := range references {
		if r < len(last) {
			there += last[r]
		}
		if _, ok := leader[s.Reference(r).Text]; !ok {
			leader[s.Reference(r).Text] = r
		}
	}
	for _, r := range references {
		part := 1 / float64(len(references))
		if there > 0 {
			part = 0
			if r < len(last) {
				part = float64(last[r]) / float64(there)
			}
		}
		out[leader[s.Reference(r).Text]] += part * all
	}
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
