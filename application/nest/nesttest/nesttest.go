// Package nesttest writes nests down for tests that compare what readers make of programs.
package nesttest

import (
	"fmt"
	"strings"

	"foresee/application/nest"
)

// Accesses writes the loops and accesses of a program in a form that a reader can compare with its source.
func Accesses(p *nest.Program) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", p.Region)
	var nodes func(all []nest.Node, indent string)
	nodes = func(all []nest.Node, indent string) {
		for _, n := range all {
			switch n := n.(type) {
			case *nest.Loop:
				fmt.Fprintf(&b, "%sfor %s = %s..%s", indent, p.Vars[n.Var], n.Lo.Format(p.Vars), n.Hi.Format(p.Vars))
				if w := n.Work; w != nil {
					fmt.Fprintf(&b, " %v %d", w.Schedule, w.Chunk)
					if w.Nowait {
						b.WriteString(" nowait")
					}
				}
				b.WriteString("\n")
				nodes(n.Body, indent+" ")
			case *nest.If:
				fmt.Fprintf(&b, "%sif %s\n", indent, n.Cond.Format(p.Vars))
				nodes(n.Then, indent+" ")
				if len(n.Else) > 0 {
					fmt.Fprintf(&b, "%selse\n", indent)
					nodes(n.Else, indent+" ")
				}
			case *nest.Parallel:
				fmt.Fprintf(&b, "%sparallel\n", indent)
				nodes(n.Body, indent+" ")
			case *nest.Single:
				fmt.Fprintf(&b, "%ssingle\n", indent)
				nodes(n.Body, indent+" ")
			case *nest.Critical:
				fmt.Fprintf(&b, "%scritical\n", indent)
				nodes(n.Body, indent+" ")
			case *nest.Barrier:
				fmt.Fprintf(&b, "%sbarrier\n", indent)
			case *nest.Stmt:
				for _, a := range n.Accesses {
					fmt.Fprintf(&b, "%s%s %s\n", indent, map[bool]string{false: "r", true: "w"}[a.Write], a.Text)
				}
			}
		}
	}
	nodes(p.Body, " ")
	return b.String()
}
