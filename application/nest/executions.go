package nest

import (
	"foresee/application/nest/expr"
)

// Runs says how often the nodes of a program run, on all threads together; code that every thread repeats
// counts once.
type Runs struct {
	Statement map[*Stmt]int64
	Entry     map[*Loop]int64 // times that the loop begins
	Iteration map[*Loop]int64 // iterations in all
}

// CountRuns counts without running, in closed form where the bounds allow it.
func CountRuns(p *Program) (*Runs, error) {
	r := &Runs{Statement: map[*Stmt]int64{}, Entry: map[*Loop]int64{}, Iteration: map[*Loop]int64{}}
	var failed error
	count := func(target Node, inside bool) int64 {
		if failed != nil {
			return 0
		}
		only := &Program{Region: p.Region, Pos: p.Pos, Vars: p.Vars, Body: keepOnly(p.Body, target, inside)}
		s, err := NewStream(only, Options{Threads: 1, Group: 1, Line: 1})
		if err != nil {
			failed = err
			return 0
		}
		return s.Len()
	}
	var body func(nodes []Node)
	body = func(nodes []Node) {
		here := int64(-1) // what is side by side runs equally often
		for _, n := range nodes {
			switch n := n.(type) {
			case *Stmt:
				if here < 0 {
					here = count(n, false)
				}
				r.Statement[n] = here
				continue
			case *Loop:
				if here < 0 {
					here = count(n, false)
				}
				r.Entry[n], r.Iteration[n] = here, count(n, true)
			}
			for _, b := range children(n) {
				body(b)
			}
		}
	}
	body(p.Body)
	return r, failed
}

// keepOnly is the tree with one access in place of the target, or in place of its body, and nothing else.
func keepOnly(nodes []Node, target Node, inside bool) []Node {
	for _, n := range nodes {
		if n == target && !inside {
			return mark()
		}
		switch n := n.(type) {
		case *Loop:
			b := keepOnly(n.Body, target, inside)
			if n == target {
				b = mark()
			}
			if b != nil {
				l := *n
				l.Work, l.Body = nil, b
				return []Node{&l}
			}
		case *If:
			if b := keepOnly(n.Then, target, inside); b != nil {
				return []Node{&If{Cond: n.Cond, Then: b, Pos: n.Pos}}
			}
			if b := keepOnly(n.Else, target, inside); b != nil {
				return []Node{&If{Cond: expr.Unary(expr.OpNot, n.Cond), Then: b, Pos: n.Pos}}
			}
		default:
			for _, body := range children(n) {
				if b := keepOnly(body, target, inside); b != nil {
					return b
				}
			}
		}
	}
	return nil
}

func mark() []Node {
	return []Node{&Stmt{Accesses: []*Access{{Object: &Object{Name: "count"}, Offset: expr.Int(0), Size: 1}}}}
}
