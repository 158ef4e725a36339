package advise

import (
	"fmt"
	"math"

	"foresee/advise/transform"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// sharing is a store that neighbouring threads make to one line of memory again and again, each time taking it from one another.
type sharing struct {
	array, text, loop string // no loop: each thread has an element by its number
	line              int
}

// said is what the cause of a time is.
func (x *sharing) said(file string) string {
	by := "each thread writes its own " + x.text
	if x.loop != "" {
		by = fmt.Sprintf("%s is written by neighbouring iterations of %s, which belong to different threads", x.text, x.loop)
	}
	return fmt.Sprintf("%s:%d: %s, in one line: false sharing, which the times leave out", file, x.line, by)
}

// mostPadded is the size in bytes up to which arrays that are shared falsely are made longer, when each element has a line. Chosen: more no longer fits the caches.
const mostPadded = 1 << 19

// paddings give each element that threads share falsely a line of its own.
func (s *search) paddings(source *transform.Source) []*transform.Change {
	var names []string
	for _, x := range s.shared(source.Text) {
		names = append(names, x.array)
	}
	return source.ElementPaddings(names, s.line(), mostPadded)
}

// falselyShared finds stores in a loop that is dealt in chunks so small that chunks of several threads lie in one line, and that are made more than once in an
// iteration of it, by what a line holds in bytes.
func falselyShared(p *nest.Program, line int64, threads int) (all []sharing) {
	var visit func(nodes []nest.Node, dealt *nest.Loop, within bool)
	visit = func(nodes []nest.Node, dealt *nest.Loop, within bool) {
		for _, n := range nodes {
			switch n := n.(type) {
			case *nest.Loop:
				if n.Work != nil && n.Work.Collapse <= 1 {
					visit(n.Body, n, false)
				} else {
					visit(n.Body, dealt, dealt != nil)
				}
			case *nest.If:
				visit(n.Then, dealt, within)
				visit(n.Else, dealt, within)
			case *nest.Parallel:
				visit(n.Body, dealt, within)
			case *nest.Single:
				visit(n.Body, dealt, within)
			case *nest.Critical:
				visit(n.Body, dealt, within)
			case *nest.Stmt:
				if dealt == nil || !within {
					continue
				}
				for _, a := range n.Accesses {
					step := a.Advance(dealt) * chunkOf(dealt, threads)
					if a.Write && !a.Object.Private && step != 0 && max(step, -step) < line {
						all = append(all, sharing{a.Object.Name, a.Text, p.Vars[dealt.Var], a.Pos.Line})
					}
				}
			}
		}
	}
	visit(p.Body, nil, false)
	return all
}

// chunkOf is how many iterations of a loop one thread has in a row.
func chunkOf(l *nest.Loop, threads int) int64 {
	lo, ok1 := expr.AffineOf(l.Lo)
	hi, ok2 := expr.AffineOf(l.Hi)
	switch {
	case l.Work.Chunk > 0:
		return l.Work.Chunk
	case l.Work.Schedule.OnDemand():
		return 1
	case !ok1 || !ok2 || len(lo.Terms)+len(hi.Terms) > 0:
		return math.MaxInt32 // not known: blocks are long
	}
	return max(((hi.K-lo.K)/l.Step+1)/int64(threads), 1)
}

// shared are those of the region in a text; nil where it cannot be read.
func (s *search) shared(text string) (all []sharing) {
	if s.Threads[len(s.Threads)-1] < 2 {
		return nil
	}
	read, err := s.read(text, []string{s.region})
	if err != nil {
		return nil
	}
	for _, p := range only(read.Loops, s.region) {
		all = append(all, falselyShared(p, s.line(), s.Threads[len(s.Threads)-1])...)
	}
	if source, err := s.source(text); err == nil {
		for _, c := range source.ThreadCounters(s.line(), s.region) {
			all = append(all, sharing{c.Array, c.Text, "", c.Line})
		}
	}
	return all
}
