package csource

import (
	"fmt"
	"strings"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// dump writes a program in a form that a reader can compare with its source.
func dump(p *nest.Program) string {
	d := &dumper{p: p}
	d.line("region %s", p.Region)
	for _, o := range p.Objects {
		private := ""
		if o.Private {
			private = " private"
		}
		d.line("object %s %d/%d%s", o.Name, o.Bytes, o.Elem, private)
	}
	d.nodes(p.Body)
	for _, w := range p.Warnings {
		d.line("warning %s", w)
	}
	return d.b.String()
}

type dumper struct {
	p     *nest.Program
	b     strings.Builder
	depth int
}

func (d *dumper) line(format string, args ...any) {
	fmt.Fprintf(&d.b, "%s%s\n", strings.Repeat("  ", d.depth), fmt.Sprintf(format, args...))
}

func (d *dumper) nodes(nodes []nest.Node) {
	d.depth++
	for _, n := range nodes {
		d.node(n)
	}
	d.depth--
}

func (d *dumper) node(n nest.Node) {
	switch n := n.(type) {
	case *nest.Loop:
		work := ""
		if w := n.Work; w != nil {
			work = fmt.Sprintf(" work(%v chunk=%d collapse=%d nowait=%v)", w.Schedule, w.Chunk, w.Collapse, w.Nowait)
		}
		d.line("for %s = %s..%s step %d%s", d.p.Vars[n.Var], d.expr(n.Lo), d.expr(n.Hi), n.Step, work)
		d.nodes(n.Body)
	case *nest.If:
		d.line("if %s", d.expr(n.Cond))
		d.nodes(n.Then)
		if len(n.Else) > 0 {
			d.line("else")
			d.nodes(n.Else)
		}
	case *nest.Parallel:
		d.line("parallel")
		d.nodes(n.Body)
	case *nest.Single:
		d.line("single nowait=%v", n.Nowait)
		d.nodes(n.Body)
	case *nest.Critical:
		d.line("critical")
		d.nodes(n.Body)
	case *nest.Barrier:
		d.line("barrier")
	case *nest.Stmt:
		d.stmt(n)
	}
}

func (d *dumper) expr(e *expr.Expr) string { return e.Format(d.p.Vars) }

func (d *dumper) stmt(s *nest.Stmt) {
	var parts []string
	for _, a := range s.Accesses {
		rw := "r"
		if a.Write {
			rw = "w"
		}
		parts = append(parts, fmt.Sprintf("%s%d %s+%s", rw, a.Size, a.Object.Name, d.expr(a.Offset)))
	}
	d.line("%s", strings.Join(parts, "; "))
	for i, op := range s.Flow {
		var args []string
		for _, a := range op.Args {
			args = append(args, d.value(a))
		}
		out := ""
		if op.Out.Kind != nest.None {
			out = " -> " + d.value(op.Out)
		}
		d.line("  t%d = %v.%v%s(%s)%s", i, op.Kind, op.Type, op.Name, strings.Join(args, ", "), out)
	}
}

func (d *dumper) value(v nest.Value) string {
	switch v.Kind {
	case nest.Const:
		return "const"
	case nest.Temp:
		return fmt.Sprintf("t%d", v.N)
	case nest.Scalar:
		return d.p.Scalars[v.N]
	case nest.Load:
		return fmt.Sprintf("load%d", v.N)
	case nest.Store:
		return fmt.Sprintf("store%d", v.N)
	}
	return "none"
}
