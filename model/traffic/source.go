package traffic

import (
	"foresee/application/nest"
	"foresee/model/reuse"
)

// Source is what the text of a program tells of its streams, whichever number of threads runs it.
type Source struct {
	program *nest.Program
	phase   map[accessKey]int     // of accesses
	counts  map[accessKey]float64 // how often each is made
	copies  map[*nest.Access]int  // how many stand for one of the source
	all     float64               // accesses
	users   map[int64]map[string]firstUsers
}

// NewSource looks at a program, of which it is counted how often everything runs.
func NewSource(p *nest.Program, runs *nest.Runs) *Source {
	t := &Source{program: p, phase: parts(p), users: map[int64]map[string]firstUsers{}}
	t.counts, t.copies, t.all = accessCounts(runs)
	return t
}

// Stream looks at the references of a stream of the program, whose lines are of so many bytes, and mends the weights of the sample.
func (t *Source) Stream(n *nest.Stream, sampled *reuse.Sampled, line int64) *Stream {
	st := newStream(n, sampled, line)
	st.first = t.firstUses(n, sampled, line)
	st.balance(t.counts, t.all)
	if t.all > 0 {
		st.made = make([]float64, n.References())
		for r := range st.made {
			a := n.Reference(r)
			st.made[r] = t.counts[keyOf(a)] * float64(max(t.copies[a.Origin()], 1)) / t.all
		}
	}
	return st
}

// firstUsers are, by access of the source, the shares of an object's lines that it uses first.
type firstUsers map[*nest.Access]float64

// So many lines are drawn of each object, and so many of them must be touched, to tell who uses lines first. Chosen: shares are then right to
// three points.
const (
	drawnLines = 256
	leastDrawn = 16
)

// firstUsers are those of all objects of which different places of the source use the same lines, by name, where draws tell.
func (t *Source) firstUsers(line int64) map[string]firstUsers {
	if users, known := t.users[line]; known {
		return users
	}
	users := map[string]firstUsers{}
	t.users[line] = users
	s, err := nest.NewStream(t.program, nest.Options{Threads: 1, Group: 1, Line: line})
	if err != nil { // what is wrong with the program is said elsewhere
		return users
	}
	texts := map[string]map[string]bool{}
	for r := range s.References() {
		a := s.Reference(r)
		name := a.Object.Name
		if texts[name] == nil {
			texts[name] = map[string]bool{}
		}
		texts[name][a.Text] = true
	}
	for r := range s.References() {
		o := s.Reference(r).Object
		if _, known := users[o.Name]; !known && len(texts[o.Name]) > 1 {
			users[o.Name] = drawFirstUsers(s, o)
		}
	}
	return users
}

// drawFirstUsers draws lines of an object; nil where they do not tell.
func drawFirstUsers(s *nest.Stream, o *nest.Object) firstUsers {
	counts, err := s.FirstUsers(o, drawnLines)
	if err != nil {
		return nil
	}
	sum := 0
	for _, n := range counts {
		sum += n
	}
	if sum < leastDrawn {
		return nil
	}
	users := firstUsers{}
	for r, n := range counts {
		if n > 0 {
			users[s.Reference(r).Origin()] += float64(n) / float64(sum)
		}
	}
	return users
}

// share deals an object's first uses to references of a stream; of those that stand for the same access of the source the first has them.
func (u firstUsers) share(out []float64, s *nest.Stream, references map[int][]int, all float64) {
	leader := map[*nest.Access]int{}
	for _, some := range references {
		for _, r := range some {
			a := s.Reference(r).Origin()
			if first, known := leader[a]; !known || r < first {
				leader[a] = r
			}
		}
	}
	for a, r := range leader {
		out[r] += u[a] * all
	}
}
