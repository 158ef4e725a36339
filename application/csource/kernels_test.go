package csource

import (
	"path/filepath"
	"testing"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// TestExampleKernels loads every example that is shipped, at its smallest size.
func TestExampleKernels(t *testing.T) {
	files, err := filepath.Glob("../../examples/kernels/*.c")
	if err != nil || len(files) == 0 {
		t.Skip("examples/kernels has no C files")
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			for _, by := range []By{ByFunction, ByLoop} {
				u, err := Load(f, nil, Options{Defines: []string{"MINI"}, By: by})
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range u.Programs {
					checkProgram(t, p)
					for _, o := range p.Objects {
						if o.Bytes == 0 {
							t.Errorf("%s: the size of %s is not known", p.Region, o.Name)
						}
					}
					for _, w := range p.Warnings {
						t.Log(w)
					}
				}
			}
		})
	}
}

// checkProgram checks what package nest promises of a program.
func checkProgram(t *testing.T, p *nest.Program) {
	t.Helper()
	seen := map[expr.Var]bool{}
	known := map[*nest.Object]bool{}
	for _, o := range p.Objects {
		known[o] = true
	}
	checkNodes(t, p, p.Body, seen, known)
}

func checkNodes(t *testing.T, p *nest.Program, nodes []nest.Node, seen map[expr.Var]bool, known map[*nest.Object]bool) {
	open := func(e *expr.Expr) {
		e.EachVar(func(v expr.Var) {
			if !seen[v] {
				t.Errorf("%s: variable %s is used outside its loop", p.Region, p.Vars[v])
			}
		})
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case *nest.Loop:
			open(n.Lo)
			open(n.Hi)
			if n.Step == 0 || seen[n.Var] {
				t.Errorf("%s: loop over %s is malformed", p.Region, p.Vars[n.Var])
			}
			seen[n.Var] = true
			checkNodes(t, p, n.Body, seen, known)
			delete(seen, n.Var)
		case *nest.If:
			open(n.Cond)
			checkNodes(t, p, n.Then, seen, known)
			checkNodes(t, p, n.Else, seen, known)
		case *nest.Parallel:
			checkNodes(t, p, n.Body, seen, known)
		case *nest.Single:
			checkNodes(t, p, n.Body, seen, known)
		case *nest.Critical:
			checkNodes(t, p, n.Body, seen, known)
		case *nest.Stmt:
			for _, a := range n.Accesses {
				open(a.Offset)
				if !known[a.Object] || a.Size <= 0 {
					t.Errorf("%s: access %s is malformed", p.Region, a.Text)
				}
			}
			checkFlow(t, p, n)
		}
	}
}

// checkFlow checks that operands come before their use, and that every store is written once.
func checkFlow(t *testing.T, p *nest.Program, s *nest.Stmt) {
	stored := map[int]int{}
	for i, op := range s.Flow {
		for _, a := range op.Args {
			switch {
			case a.Kind == nest.Temp && a.N >= i, a.Kind == nest.Load && (a.N >= len(s.Accesses) || s.Accesses[a.N].Write),
				a.Kind == nest.Scalar && a.N >= len(p.Scalars), a.Kind == nest.Store, a.Kind == nest.None:
				t.Errorf("%s:%v: operation %d has the operand %v", p.Region, s.Pos, i, a)
			}
		}
		if op.Out.Kind == nest.Store {
			stored[op.Out.N]++
		}
	}
	for i, a := range s.Accesses {
		if a.Write && stored[i] != 1 {
			t.Errorf("%s:%v: the store %s is written %d times", p.Region, s.Pos, a.Text, stored[i])
		}
	}
}
