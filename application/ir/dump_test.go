package ir

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

func dump(p *nest.Program) {
	fmt.Println("REGION", p.Region, p.Pos, len(p.Warnings))
	for _, w := range p.Warnings {
		fmt.Println("  W", w)
	}
	for _, o := range p.Objects {
		fmt.Println("  O", o.Name, o.Bytes, o.Elem, o.Private)
	}
	var show func(nodes []nest.Node, d string)
	f := func(e *expr.Expr) string { return e.Format(p.Vars) }
	show = func(nodes []nest.Node, d string) {
		for _, n := range nodes {
			switch n := n.(type) {
			case *nest.Loop:
				fmt.Println(d, "for", p.Vars[n.Var], f(n.Lo), f(n.Hi), n.Work, n.Pos.Line)
				show(n.Body, d+"  ")
			case *nest.If:
				fmt.Println(d, "if", f(n.Cond))
				show(n.Then, d+"  ")
				if len(n.Else) > 0 {
					fmt.Println(d, "else")
					show(n.Else, d+"  ")
				}
			case *nest.Parallel:
				fmt.Println(d, "parallel")
				show(n.Body, d+"  ")
			case *nest.Single:
				fmt.Println(d, "single", n.Nowait)
				show(n.Body, d+"  ")
			case *nest.Critical:
				fmt.Println(d, "critical")
				show(n.Body, d+"  ")
			case *nest.Barrier:
				fmt.Println(d, "barrier")
			case *nest.Stmt:
				var a []string
				for _, x := range n.Accesses {
					w := "r"
					if x.Write {
						w = "w"
					}
					a = append(a, fmt.Sprintf("%s%d %s", w, x.Size, x.Text))
				}
				fmt.Println(d, strings.Join(a, "; "), n.Pos.Line)
				for i, op := range n.Flow {
					fmt.Println(d, "    ", i, op.Kind, op.Type, op.Args, op.Out)
				}
			}
		}
	}
	show(p.Body, "  ")
}
func TestDump(t *testing.T) {
	file := os.Getenv("LL")
	if file == "" {
		t.Skip()
	}
	b, _ := os.ReadFile(file)
	o := csource.Options{}
	if r := os.Getenv("REGION"); r != "" {
		o.Regions = []string{r}
	}
	if r := os.Getenv("DEF"); r != "" {
		o.Defines = strings.Fields(r)
	}
	u, err := Load(file, string(b), o)
	if u != nil {
		for _, s := range u.Skipped {
			fmt.Println("SKIP", s.Function, s.Reason)
		}
		for _, p := range u.Programs {
			dump(p)
		}
	}
	fmt.Println("ERR", err)
}
func TestDumpSource(t *testing.T) {
	file := os.Getenv("SRC")
	if file == "" {
		t.Skip()
	}
	lang := Cxx
	if strings.HasSuffix(file, ".f90") {
		lang = Fortran
	}
	if strings.HasSuffix(file, ".rs") {
		lang = Rust
	}
	ll, err := Compile(t.Context(), Compilation{Language: lang, Path: file, Command: strings.Fields(os.Getenv("IRCC"))})
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile("/tmp/out.ll", []byte(ll), 0o644)
	o := csource.Options{}
	if r := os.Getenv("REGION"); r != "" {
		o.Regions = []string{r}
	}
	if r := os.Getenv("DEF"); r != "" {
		o.Defines = strings.Fields(r)
	}
	u, err := Load(file, string(ll), o)
	if u != nil {
		for _, s := range u.Skipped {
			fmt.Println("SKIP", s.Function, s.Reason)
		}
		for _, p := range u.Programs {
			dump(p)
		}
	}
	fmt.Println("ERR", err)
}
