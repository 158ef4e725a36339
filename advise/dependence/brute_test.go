package dependence

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
)

// made is an access that was made, with the iteration of its loops.
type made struct {
	reference int
	iteration []int64
	offset    int64
}

// run makes all accesses of a nest in their order: the oracle.
func run(x *Nest) (all []made) {
	env := make([]int64, len(x.Program.Vars))
	index := map[*nest.Access]int{}
	for i, r := range x.References {
		index[r.Access] = i
	}
	var walk func(nodes []nest.Node, iteration []int64)
	walk = func(nodes []nest.Node, iteration []int64) {
		for _, n := range nodes {
			switch n := n.(type) {
			case *nest.Loop:
				lo, hi := n.Lo.Eval(env), n.Hi.Eval(env)
				for v := lo; n.Step > 0 && v <= hi || n.Step < 0 && v >= hi; v += n.Step {
					env[n.Var] = v
					count := v
					if n.Step < 0 {
						count = -v
					}
					walk(n.Body, append(slices.Clone(iteration), count))
				}
			case *nest.If:
				if n.Cond.Eval(env) != 0 {
					walk(n.Then, iteration)
				} else {
					walk(n.Else, iteration)
				}
			case *nest.Stmt:
				for _, a := range n.Accesses {
					all = append(all, made{index[a], iteration, a.Offset.Eval(env)})
				}
			}
		}
	}
	walk([]nest.Node{x.Loop}, nil)
	return all
}

// vectorsOf are those that a run shows, by pair of references.
func vectorsOf(x *Nest) map[string]bool {
	found := map[string]bool{}
	all := run(x)
	for i, a := range all {
		for _, b := range all[i+1:] {
			r, t := x.References[a.reference], x.References[b.reference]
			if r.Access.Object != t.Access.Object || !r.Access.Write && !t.Access.Write || a.offset+r.Access.Size <= b.offset || b.offset+t.Access.Size <= a.offset {
				continue
			}
			common := 0
			for common < len(r.Loops) && common < len(t.Loops) && r.Loops[common] == t.Loops[common] {
				common++
			}
			v := make([]Sign, common)
			for k := range v {
				v[k] = Sign(min(max(b.iteration[k]-a.iteration[k], -1), 1))
			}
			found[key(a.reference, b.reference, v)] = true
		}
	}
	return found
}

func key(a, b int, v []Sign) string { return fmt.Sprint(a, b, v) }

// source is a random nest of up to three loops over small arrays.
func source(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("double A[30][30], X[900];\nvoid kernel_random(void)\n{\n")
	depth := 1 + r.IntN(3)
	vars := []string{"i", "j", "k"}[:depth]
	for n, v := range vars {
		low, high := strconv.Itoa(6+r.IntN(2)), strconv.Itoa(9+r.IntN(3))
		if n > 0 && r.IntN(3) == 0 {
			low = vars[r.IntN(n)] + []string{"", " + 1", " - 1"}[r.IntN(3)]
		}
		if n > 0 && r.IntN(4) == 0 {
			high = vars[r.IntN(n)] + " + 2"
		}
		step := []string{v + "++", v + "++", v + " += 2"}[r.IntN(3)]
		head := fmt.Sprintf("for (int %s = %s; %s < %s; %s)", v, low, v, high, step)
		if r.IntN(6) == 0 && n == 0 {
			head = fmt.Sprintf("for (int %s = %s; %s > 5; %s--)", v, high, v, v)
		}
		b.WriteString(head + " {\n")
		if r.IntN(3) == 0 {
			b.WriteString(statement(r, vars[:n+1]))
		}
	}
	for range 1 + r.IntN(2) {
		b.WriteString(statement(r, vars))
	}
	b.WriteString(strings.Repeat("}\n", depth) + "}\n")
	return b.String()
}

func statement(r *rand.Rand, vars []string) string {
	term := func() string {
		v := vars[r.IntN(len(vars))]
		return []string{v, v, v + " + 1", v + " - 2", v + " + " + vars[r.IntN(len(vars))], "2 * " + v, "7"}[r.IntN(7)]
	}
	element := func() string {
		switch r.IntN(3) {
		case 0:
			return "X[" + strconv.Itoa(30) + " * (" + term() + ") + " + term() + "]"
		case 1:
			return "X[" + term() + "]"
		}
		return "A[" + term() + "][" + term() + "]"
	}
	text := element() + " = " + element() + " + " + element() + ";\n"
	if r.IntN(4) == 0 {
		text = "if (" + vars[r.IntN(len(vars))] + " < 8) " + text
	}
	return text
}

// TestDependencesOfRandomNests compares with a run: all that it shows is found, and little else. FORESEE_NESTS is how many.
func TestDependencesOfRandomNests(t *testing.T) {
	shown, more := 0, 0
	nests := 400
	if n, err := strconv.Atoi(os.Getenv("FORESEE_NESTS")); err == nil {
		nests = n
	}
	for seed := range uint64(nests) {
		text := source(rand.New(rand.NewPCG(seed, 5)))
		u, err := csource.Load("random.c", []byte(text), csource.Options{})
		if err != nil {
			continue
		}
		p := u.Programs[0]
		for _, n := range p.Body {
			l, ok := n.(*nest.Loop)
			if !ok {
				continue
			}
			for _, x := range Find(p, l.Pos) {
				want := vectorsOf(x)
				shown += len(want)
				all, known := x.Dependences(func(*nest.Object) bool { return false })
				if !known {
					t.Fatal("too much to look at")
				}
				for _, d := range all {
					k := key(slices.Index(x.References, d.From), slices.Index(x.References, d.To), d.Vector)
					if !want[k] {
						more++
					}
					delete(want, k)
				}
				if len(want) > 0 {
					t.Fatalf("seed %d: not found: %v\n%s", seed, want, text)
				}
			}
		}
	}
	t.Logf("%d vectors shown by runs, %d more found", shown, more)
	if shown < 1000 || float64(more) > 0.05*float64(shown) {
		t.Errorf("%d vectors shown by runs, %d more found", shown, more)
	}
}
