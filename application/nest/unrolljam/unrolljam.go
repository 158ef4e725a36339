// Package unrolljam lets loops do several of their iterations at a time, each inside the loops within them, as compilers make them that put a loop
// around others in vectors, or unroll and jam it.
package unrolljam

import (
	"path/filepath"
	"slices"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// Jam is a loop of which a compiler does several iterations at a time.
type Jam struct {
	At     nest.Pos // the loop begins in this line, not behind this column
	Factor int      // iterations at a time; 0 where Vector tells
	Vector int      // bytes of the vectors whose lanes do an iteration each
}

// most bounds how many iterations are done at a time. Chosen: lanes of the widest vectors, of numbers of four bytes.
const most = 16

// Apply gives a program in which loops do several iterations at a time, and where these begin. Left as they are, and not told, are loops without others
// in them, where it changes next to nothing; those whose inner loops go by their variable; and what is dealt to threads in chunks that do not hold whole
// turns. Loops within that are dealt to threads are so too, unless the compiler does not see that they are (serial). The accesses of what is made stand for
// those of the program, which stays.
func Apply(p *nest.Program, at []Jam, serial bool) (out *nest.Program, done []nest.Pos) {
	c := *p
	j := jammer{at: at, loops: begins(p), serial: serial}
	c.Body = j.nodes(p.Body)
	return &c, j.done
}

type jammer struct {
	at    []Jam
	loops []nest.Pos
	done  []nest.Pos

	serial bool
}

// begins are where the loops of a program begin.
func begins(p *nest.Program) (all []nest.Pos) {
	nest.Walk(p.Body, func(n nest.Node) {
		if l, ok := n.(*nest.Loop); ok {
			all = append(all, l.Pos)
		}
	})
	return all
}

func (j *jammer) nodes(all []nest.Node) []nest.Node {
	out := make([]nest.Node, len(all))
	for i, n := range all {
		out[i] = nest.Within(n, j.nodes)
		l, ok := out[i].(*nest.Loop)
		if !ok {
			continue
		}
		if f := j.factor(n.(*nest.Loop)); f > 1 {
			if jammed, ok := jam(l, int64(f), j.serial); ok {
				out[i] = jammed
				j.done = append(j.done, l.Pos)
			}
		}
	}
	return out
}

// factor is how many iterations of a loop are done at a time.
func (j *jammer) factor(l *nest.Loop) int {
	unrolled, lanes := 1, 1
	for _, a := range j.at {
		if !j.means(a.At, l.Pos) {
			continue
		}
		if a.Factor > 0 {
			unrolled = max(unrolled, a.Factor)
		} else if size := smallest(l.Body); size > 0 { // of a rest, vectors are narrower
			lanes = max(lanes, a.Vector/int(size))
		}
	}
	return min(unrolled*lanes, most)
}

// means says whether a place that a compiler tells is that of a loop: of several that begin in a line, the last before it.
func (j *jammer) means(told, loop nest.Pos) bool {
	same := func(p nest.Pos) bool {
		return filepath.Base(p.File) == filepath.Base(told.File) && p.Line == told.Line && p.Column <= told.Column
	}
	return same(loop) && !slices.ContainsFunc(j.loops, func(p nest.Pos) bool { return same(p) && p.Column > loop.Column })
}

// smallest is the size of the smallest numbers that nodes read or write; 0 where they touch none.
func smallest(nodes []nest.Node) (size int64) {
	nest.Walk(nodes, func(n nest.Node) {
		s, ok := n.(*nest.Stmt)
		if !ok {
			return
		}
		for _, a := range s.Accesses {
			if size == 0 || a.Size < size {
				size = a.Size
			}
		}
	})
	return size
}

// jam lets a loop do so many iterations at a time; false where that cannot be told.
func jam(l *nest.Loop, factor int64, serial bool) (*nest.Loop, bool) {
	c := *l
	c.Step *= factor
	if l.Work != nil {
		work := *l.Work
		if work.Collapse > 1 || work.Chunk%factor != 0 {
			return nil, false
		}
		work.Chunk /= factor
		c.Work = &work
	}
	u := unrolling{of: l.Var, serial: serial}
	whole := l.Lo.Op == expr.OpConst && l.Hi.Op == expr.OpConst && ((l.Hi.K-l.Lo.K)/l.Step+1)%factor == 0
	for i := range factor {
		here := expr.Binary(expr.OpAdd, expr.Ref(l.Var), expr.Int(i*l.Step))
		turn := turn{at: map[expr.Var]*expr.Expr{l.Var: here}}
		switch {
		case i == 0 || whole:
		case l.Step > 0:
			turn.where = expr.Binary(expr.OpLe, here, l.Hi)
		default:
			turn.where = expr.Binary(expr.OpLe, l.Hi, here)
		}
		u.turns = append(u.turns, turn)
	}
	body, ok := u.nodes(l.Body)
	if !ok || !u.inner {
		return nil, false
	}
	c.Body = body
	return &c, true
}

// unrolling makes the body of a loop that does several iterations at a time.
type unrolling struct {
	of    expr.Var
	turns []turn
	inner bool // there are loops within

	serial bool // loops within may be dealt to threads
}

// turn is one of the iterations.
type turn struct {
	at    map[expr.Var]*expr.Expr
	where *expr.Expr // it is made only where this holds; nil: always
}

func (u *unrolling) nodes(all []nest.Node) (out []nest.Node, ok bool) {
	for _, n := range all {
		switch n := n.(type) {
		case *nest.Stmt:
			out = append(out, u.copies(n)...)
		case *nest.If:
			if !holdsLoop(n) {
				out = append(out, u.copies(n)...)
				continue
			}
			c := *n
			var then, els bool
			c.Then, then = u.nodes(n.Then)
			c.Else, els = u.nodes(n.Else)
			if u.uses(n.Cond) || !then || !els {
				return nil, false
			}
			out = append(out, &c)
		case *nest.Loop:
			c := *n
			var body bool
			c.Body, body = u.nodes(n.Body)
			if n.Work != nil && !u.serial || u.uses(n.Lo) || u.uses(n.Hi) || !body {
				return nil, false
			}
			u.inner = true
			out = append(out, &c)
		case *nest.Parallel:
			c := *n
			var body bool
			if c.Body, body = u.nodes(n.Body); !body || !u.serial {
				return nil, false
			}
			out = append(out, &c)
		default:
			return nil, false
		}
	}
	return out, true
}

// copies are what a node does in each of the iterations.
func (u *unrolling) copies(n nest.Node) (out []nest.Node) {
	for _, t := range u.turns {
		made := nest.Substitute([]nest.Node{n}, t.at)
		if t.where != nil {
			made = []nest.Node{&nest.If{Cond: t.where, Then: made}}
		}
		out = append(out, made...)
	}
	return out
}

// uses says whether an expression goes by the loop's variable.
func (u *unrolling) uses(e *expr.Expr) bool {
	return slices.Contains(expr.Variables(e), u.of)
}

// holdsLoop says whether there is a loop below a node.
func holdsLoop(n nest.Node) bool {
	found := false
	nest.Walk([]nest.Node{n}, func(n nest.Node) {
		_, loop := n.(*nest.Loop)
		found = found || loop
	})
	return found
}
