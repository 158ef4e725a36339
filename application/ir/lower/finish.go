package lower

import (
	"strconv"
	"strings"

	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// extraction copies nodes into a program of their own, with the variables, scalars and objects that they use.
type extraction struct {
	from    *lowerer
	prog    *nest.Program
	vars    map[expr.Var]*expr.Expr
	scalars map[int]int
	objects map[*nest.Object]bool
	outer   bool // counters of loops around it are used, with their first values
}

// extract makes a program of nodes.
func (l *lowerer) extract(region string, pos nest.Pos, nodes []nest.Node, notes []note) *nest.Program {
	x := &extraction{
		from: l, prog: &nest.Program{Region: region, Pos: pos}, vars: map[expr.Var]*expr.Expr{}, scalars: map[int]int{}, objects: map[*nest.Object]bool{},
	}
	x.prog.Body = x.copies(nodes)
	for i, o := range x.prog.Objects {
		if spot := l.spots[o]; o.Name == "" && spot != nil {
			o.Name = l.distinct(spot.title())
		}
		if o.Name == "" {
			o.Name = "object" + strconv.Itoa(i+1)
		}
		if o.Elem == 0 {
			o.Elem = 1
		}
	}
	x.texts(x.prog.Body)
	l.aligned(x.prog)
	seen := map[string]bool{}
	for _, n := range notes {
		if !seen[n.text] {
			seen[n.text] = true
			x.prog.Warnings = append(x.prog.Warnings, n.text)
		}
	}
	if x.outer {
		x.prog.Warnings = append(x.prog.Warnings, region+" is called in a loop; it is taken as in the first iteration")
	}
	return x.prog
}

func (x *extraction) copies(nodes []nest.Node) (all []nest.Node) {
	for _, n := range nodes {
		all = append(all, x.copy(n))
	}
	return all
}

// copy copies a node with all below it.
func (x *extraction) copy(n nest.Node) nest.Node {
	switch n := n.(type) {
	case *nest.Loop:
		made := *n
		made.Lo, made.Hi = x.expr(n.Lo), x.expr(n.Hi)
		made.Var = expr.Var(len(x.prog.Vars))
		x.prog.Vars = append(x.prog.Vars, x.from.vars[n.Var])
		x.vars[n.Var] = expr.Ref(made.Var)
		made.Body = x.copies(n.Body)
		delete(x.vars, n.Var)
		return &made
	case *nest.If:
		return &nest.If{Cond: x.expr(n.Cond), Then: x.copies(n.Then), Else: x.copies(n.Else), Pos: n.Pos}
	case *nest.Parallel:
		return &nest.Parallel{Body: x.copies(n.Body), Pos: n.Pos}
	case *nest.Single:
		return &nest.Single{Body: x.copies(n.Body), Nowait: n.Nowait, Pos: n.Pos}
	case *nest.Critical:
		return &nest.Critical{Body: x.copies(n.Body), Atomic: n.Atomic, Pos: n.Pos}
	case *nest.Stmt:
		return split(x.stmt(n), mostSplits)
	}
	return n
}

// mostSplits is how many minima, maxima and choices in the addresses of a statement are told apart. Chosen.
const mostSplits = 3

// split makes conditions of minima, maxima and choices in the addresses of a statement, so that these are affine.
func split(s *nest.Stmt, depth int) nest.Node {
	var part *expr.Expr
	for _, a := range s.Accesses {
		if _, affine := expr.AffineOf(a.Offset); !affine && part == nil {
			part = choiceIn(a.Offset)
		}
	}
	if part == nil || depth == 0 {
		return s
	}
	cond, yes, no := part.A, part.B, part.C
	if part.Op != expr.OpCond {
		cond, yes, no = expr.Binary(expr.OpLe, part.A, part.B), part.A, part.B
	}
	if part.Op == expr.OpMax {
		yes, no = no, yes
	}
	return &nest.If{
		Cond: cond, Then: []nest.Node{split(chosen(s, part, yes), depth-1)}, Else: []nest.Node{split(chosen(s, part, no), depth-1)}, Pos: s.Pos,
	}
}

// choiceIn is a minimum, maximum or choice that is a term of a sum, nil where there is none.
func choiceIn(e *expr.Expr) *expr.Expr {
	switch e.Op {
	case expr.OpMin, expr.OpMax, expr.OpCond:
		return e
	case expr.OpAdd, expr.OpSub, expr.OpMul:
		if p := choiceIn(e.A); p != nil {
			return p
		}
		return choiceIn(e.B)
	case expr.OpNeg:
		return choiceIn(e.A)
	}
	return nil
}

// chosen is a statement with one of two values for a part of its addresses.
func chosen(s *nest.Stmt, part, by *expr.Expr) *nest.Stmt {
	made := &nest.Stmt{Flow: s.Flow, Pos: s.Pos}
	for _, a := range s.Accesses {
		other := *a
		other.Offset = value.Normal(swapped(a.Offset, part, by))
		made.Accesses = append(made.Accesses, &other)
	}
	return made
}

// swapped is a sum with all terms that equal a part replaced.
func swapped(e, part, by *expr.Expr) *expr.Expr {
	switch {
	case expr.Equal(e, part):
		return by
	case e.Op == expr.OpNeg:
		return expr.Unary(e.Op, swapped(e.A, part, by))
	case e.Op == expr.OpAdd || e.Op == expr.OpSub || e.Op == expr.OpMul:
		return expr.Binary(e.Op, swapped(e.A, part, by), swapped(e.B, part, by))
	}
	return e
}

// stmt copies a statement.
func (x *extraction) stmt(n *nest.Stmt) *nest.Stmt {
	made := &nest.Stmt{Pos: n.Pos}
	for _, a := range n.Accesses {
		if !x.objects[a.Object] {
			x.objects[a.Object] = true
			x.prog.Objects = append(x.prog.Objects, a.Object)
		}
		made.Accesses = append(made.Accesses, &nest.Access{Object: a.Object, Offset: x.expr(a.Offset), Size: a.Size, Write: a.Write, Pos: a.Pos})
	}
	for _, op := range n.Flow {
		args := make([]nest.Value, len(op.Args))
		for i, v := range op.Args {
			args[i] = x.value(v)
		}
		op.Args, op.Out = args, x.value(op.Out)
		made.Flow = append(made.Flow, op)
	}
	return made
}

// expr gives an expression the variables of the program.
func (x *extraction) expr(e *expr.Expr) *expr.Expr {
	m := map[expr.Var]*expr.Expr{}
	e.EachVar(func(v expr.Var) {
		if r, ok := x.vars[v]; ok {
			m[v] = r
			return
		}
		m[v], x.outer = expr.Int(0), true
	})
	return e.Substitute(m)
}

// value gives a scalar its number in the program.
func (x *extraction) value(v nest.Value) nest.Value {
	if v.Kind != nest.Scalar {
		return v
	}
	n, ok := x.scalars[v.N]
	if !ok {
		n = len(x.prog.Scalars)
		x.prog.Scalars = append(x.prog.Scalars, x.from.scalars[v.N])
		x.scalars[v.N] = n
	}
	return nest.Value{Kind: nest.Scalar, N: n}
}

// texts writes of each access what it is of, in elements where it is at one.
func (x *extraction) texts(nodes []nest.Node) {
	nest.Walk(nodes, func(n nest.Node) {
		s, ok := n.(*nest.Stmt)
		if !ok {
			return
		}
		for _, a := range s.Accesses {
			a.Text = x.text(a)
		}
	})
}

func (x *extraction) text(a *nest.Access) string {
	if e := affinely(value.Normal(a.Offset), a.Object.Elem); e != nil && a.Object.Elem > 0 {
		return a.Object.Name + "[" + e.Format(x.prog.Vars) + "]"
	}
	return "byte " + a.Offset.Format(x.prog.Vars) + " of " + a.Object.Name
}

// inSource notes which function of the source a program is of, and which lines that has.
func (l *lowerer) inSource(p *nest.Program, r *nesting) {
	p.Function = r.fn.Name
	if s, ok := l.m.Subprogram(r.fn.Debug); ok && strings.HasPrefix(r.fn.Name, "_QM") || ok && strings.HasPrefix(r.fn.Name, "_QP") || ok && strings.HasPrefix(r.fn.Name, "_QF") { // flang's own way to name procedures
		p.Function = strings.ToLower(s.Function)
	}
	p.Entry, p.Exit = r.pos, r.pos
	nest.Walk(p.Body, func(n nest.Node) {
		var at nest.Pos
		switch n := n.(type) {
		case *nest.Loop:
			at = n.Pos
		case *nest.Stmt:
			at = n.Pos
		}
		if at.File == p.Exit.File {
			p.Exit.Line = max(p.Exit.Line, at.Line)
		}
	})
}
