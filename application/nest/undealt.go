package nest

import (
	"fmt"

	"foresee/application/nest/expr"
)

// undealt keeps the code between two barriers free of any number of threads: worksharing loops as loops over the
// numbers of their iterations, single blocks as serial code. Code that every thread runs has no such form.
func (d *dealer) undealt(nodes []Node) (out []Node) {
	d.thread = expr.Int(0)
	defer func() { d.thread = nil }()
	for _, n := range nodes {
		switch n := n.(type) {
		case *Loop:
			if n.Work != nil {
				out = append(out, d.iterations(n)...)
				continue
			}
		case *Single:
			out = append(out, d.sequential(n.Body)...)
			continue
		}
		if p, touches := firstAccess(n); touches && d.err == nil {
			d.err = &RedundantError{p}
		}
	}
	return out
}

// RedundantError says that code is run by every thread of a team.
type RedundantError struct{ Pos Pos }

func (e *RedundantError) Error() string {
	return fmt.Sprintf("%s: every thread of the team runs this code, outside any worksharing loop: its accesses grow with the threads", e.Pos)
}

// ToldError says that numbers which a run told choose what is accessed.
type ToldError struct{ Pos Pos }

func (e *ToldError) Error() string {
	return fmt.Sprintf("%s: numbers of the run choose what is accessed here: the iterations that use a line have no order", e.Pos)
}

// told is the first place of a program where numbers of a run choose what is accessed; nil where there is none.
func told(p *Program) (err error) {
	Walk(p.Body, func(n Node) {
		s, ok := n.(*Stmt)
		if !ok || err != nil {
			return
		}
		for _, a := range s.Accesses {
			if a.Offset.LooksUp() && err == nil {
				err = &ToldError{a.Pos}
			}
		}
	})
	return err
}

// iterations makes a worksharing loop a loop over the numbers of its iterations, or over a range of as many.
func (d *dealer) iterations(l *Loop) []Node {
	loops := collapsed(l)
	if len(loops) == 1 && l.Step == 1 {
		return []Node{dealtLoop{&Loop{Var: l.Var, Lo: l.Lo, Hi: l.Hi, Step: 1, Body: d.ofThread(l.Body), Pos: l.Pos}, l}}
	}
	var origins origins
	counts, total, body := d.normalised(loops, &origins)
	v, last := l.Var, lastIteration(l)
	if len(loops) > 1 {
		v = d.fresh("iteration")
		last = expr.Binary(expr.OpSub, total, expr.Int(1))
		body = d.flattened(loops, counts, expr.Ref(v), expr.Ref(v), body)
	}
	return origins.around([]Node{dealtLoop{&Loop{Var: v, Lo: expr.Int(0), Hi: last, Step: 1, Body: body, Pos: l.Pos}, l}})
}

// firstAccess is where the first access of a node is.
func firstAccess(n Node) (pos Pos, found bool) {
	Walk([]Node{n}, func(n Node) {
		if s, ok := n.(*Stmt); ok && !found && len(s.Accesses) > 0 {
			pos, found = s.Pos, true
		}
	})
	return pos, found
}

func containsWork(nodes []Node) bool {
	found := false
	Walk(nodes, func(n Node) {
		if l, ok := n.(*Loop); ok && l.Work != nil {
			found = true
		}
	})
	return found
}
