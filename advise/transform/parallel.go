package transform

import (
	"fmt"
	"slices"
	"strings"

	"foresee/advise/syntax"
	"foresee/application/nest"
)

// Parallels deals the iterations of a loop to threads: the outermost whose iterations are independent, in the place of loops within it that were dealt.
func (s *Source) Parallels(l *syntax.Node) (all []*Change) {
	if s.inRegion(l) {
		return nil
	}
	var walk func(n *syntax.Node)
	walk = func(n *syntax.Node) {
		if n.Kind == syntax.For && dealing(n) != "" {
			return
		}
		if n.Kind == syntax.For && n.Head != nil {
			if c := s.parallelLoop(n); c != nil {
				all = append(all, c)
				return
			}
		}
		for _, c := range append([]*syntax.Node{n.Body, n.Else}, n.Items...) {
			if c != nil {
				walk(c)
			}
		}
	}
	walk(l)
	return all
}

// inRegion tells whether a loop is run by all threads of a parallel region: inside one, or with more to it than dealing.
func (s *Source) inRegion(l *syntax.Node) bool {
	inside := false
	for _, p := range s.Programs {
		var walk func(nodes []nest.Node, parallel bool)
		walk = func(nodes []nest.Node, parallel bool) {
			for _, n := range nodes {
				switch n := n.(type) {
				case *nest.Loop:
					if o, ok := s.Offset(n.Pos); ok && o == l.Begin && n.Pos.File == s.Name && parallel && n.Work == nil {
						inside = true
					}
					walk(n.Body, parallel)
				case *nest.If:
					walk(n.Then, parallel)
					walk(n.Else, parallel)
				case *nest.Parallel:
					walk(n.Body, true)
				case *nest.Single:
					walk(n.Body, true)
				case *nest.Critical:
					walk(n.Body, true)
				}
			}
		}
		walk(p.Body, false)
	}
	return inside
}

// parallelLoop deals one loop.
func (s *Source) parallelLoop(l *syntax.Node) *Change {
	st := s.study(l)
	if st == nil || len(l.Pragmas) > 0 && dealing(l) != "" || !st.sequential(l.Loops()...) || !st.parallel() || st.trips(l) < 2 {
		return nil
	}
	if !l.Head.Unit() && !strings.Contains(l.Head.Step, "=") && !strings.Contains(l.Head.Step, "--") {
		return nil
	}
	var private []string
	for name := range st.scalars.counters {
		if name != l.Head.Var {
			private = append(private, name)
		}
	}
	for name := range st.scalars.private {
		private = append(private, name)
	}
	slices.Sort(private)
	pragma := "#pragma omp parallel for"
	if len(private) > 0 {
		pragma += " private(" + strings.Join(private, ", ") + ")"
	}
	sums := map[string][]string{}
	for name, op := range st.scalars.sums {
		sums[op] = append(sums[op], name)
	}
	for _, op := range []string{"*", "+", largest, smallest} {
		if len(sums[op]) > 0 {
			slices.Sort(sums[op])
			pragma += fmt.Sprintf(" reduction(%s:%s)", op, strings.Join(sums[op], ", "))
		}
	}
	c := st.change(Parallel, []*syntax.Node{l}, "deal the iterations of %s to threads", l.Head.Var)
	c.Reorders = st.rounds()
	body, moves := st.withoutDealing(l)
	if moves {
		c.Title += ", instead of those of the loops within it"
	}
	c.Text = s.replaced(l, pragma+"\n"+s.Indent(l.Begin)+body)
	return c
}

// withoutDealing is the text of a loop without the directives that deal loops within it.
func (s *Source) withoutDealing(l *syntax.Node) (text string, changed bool) {
	text = s.TextOf(l)
	inner := l.Loops()[1:]
	slices.Reverse(inner)
	for _, n := range inner {
		for _, t := range slices.Backward(n.Pragmas) {
			if !syntax.IsParallelFor(t) {
				continue
			}
			from, to := s.LineBegin(t.Begin)-l.Begin, t.End-l.Begin
			if to < len(text) && text[to] == '\n' {
				to++
			}
			text, changed = text[:from]+text[to:], true
		}
	}
	return text, changed
}

// Schedules deals a loop otherwise: by one chunk a thread, in turn, or to whoever is free; and together with the loop in it.
func (s *Source) Schedules(l *syntax.Node) (all []*Change) {
	for _, n := range l.Loops() {
		pragma := dealing(n)
		if pragma == "" || n.Head == nil {
			continue
		}
		f := s.FunctionAt(n.Begin)
		if f == nil || strings.Contains(s.TextOf(f.Body), "nowait") || strings.Contains(pragma, "ordered") {
			continue // which thread has which iteration may matter
		}
		if c := s.collapsed(n, pragma); c != nil {
			all = append(all, c)
		}
		bare := withoutClause(withoutClause(pragma, "schedule"), "dist_schedule")
		for _, how := range []string{"", "static, 1", "static, 16", "dynamic", "dynamic, 16"} {
			text, title := bare, "leave the schedule of %s to the default, a block for each thread"
			if how != "" {
				text, title = bare+" schedule("+how+")", "deal the iterations of %s by schedule("+how+")"
			}
			if strings.Join(strings.Fields(text), "") == strings.Join(strings.Fields(pragma), "") {
				continue
			}
			all = append(all, s.redealt(n, Schedule, text, fmt.Sprintf(title, n.Head.Var)))
		}
	}
	return all
}

// redealt has another directive before a loop.
func (s *Source) redealt(l *syntax.Node, k Kind, pragma, title string) *Change {
	c := &Change{Kind: k, Title: title, Line: s.Line(l.Begin), Loops: []string{l.Head.Var}, Reorders: strings.Contains(pragma, "reduction")}
	for _, t := range l.Pragmas {
		if syntax.IsParallelFor(t) {
			c.Text = s.splice(t.Begin, t.End, pragma)
		}
	}
	return c
}

// withoutClause takes a clause with its parentheses out of a directive.
func withoutClause(pragma, name string) string {
	i := strings.Index(pragma, " "+name+"(")
	if i < 0 {
		return pragma
	}
	end := strings.IndexByte(pragma[i:], ')')
	if end < 0 {
		return pragma
	}
	return strings.TrimRight(pragma[:i]+pragma[i+end+1:], " ")
}

// collapsed deals the iterations of a loop and of the one that is all of its body as one.
func (s *Source) collapsed(l *syntax.Node, pragma string) *Change {
	inner := l.Inner()
	if strings.Contains(pragma, "collapse") || inner == nil || inner.Head == nil || len(inner.Pragmas) > 0 || !l.Head.Unit() || !inner.Head.Unit() {
		return nil
	}
	if syntax.Mentions(inner.Head.Low+" "+inner.Head.Bound, l.Head.Var) {
		return nil
	}
	st := s.study(l)
	band := []*syntax.Node{l, inner}
	if st == nil || !st.sequential(l) || len(st.scalars.carried)+len(st.scalars.sums) > 0 || !st.sealed(band) || !st.independent(band, inner, []*syntax.Node{l}) {
		return nil
	}
	var without []string
	if inner.Head.Type == "" {
		without = []string{inner.Head.Var}
	}
	text := clause(pragma, without, nil) + " collapse(2)"
	c := s.redealt(l, Collapse, text, fmt.Sprintf("deal the iterations of %s and %s as one", l.Head.Var, inner.Head.Var))
	c.Conditions, c.Loops = st.conditions(), []string{l.Head.Var, inner.Head.Var}
	return c
}
