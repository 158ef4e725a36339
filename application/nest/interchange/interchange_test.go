package interchange_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/application/nest/interchange"
)

// Loops go into the order of the steps of their accesses, longest outermost, where they are perfectly nested; others are told.
func TestOrder(t *testing.T) {
	for _, c := range []struct{ loops, want string }{
		{"for (int j = 0; j < 9; j++) for (int i = 0; i < 9; i++) A[i][j] += B[i][j];", "i j"},
		{"for (int r = 0; r < 9; r++) for (int i = 1; i < 8; i++) A[0][i] = B[1][i + 1];", "i r"},
		{"for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) for (int k = 0; k < 9; k++) C[i][j] += A[i][k] * B[k][j];", "i k j"},
		{"for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) A[i][j] = 0;", "left"},
		{"for (int j = 0; j < 9; j++) for (int i = 0; i < j; i++) A[i][j] = 0;", "left"},
		{"for (int j = 0; j < 9; j++) { C[0][j] = 1; for (int i = 0; i < 9; i++) A[i][j] = 0; }", "left"},
	} {
		u, err := csource.Load("a.c", []byte("double A[9][9], B[9][9], C[9][9];\nvoid f(void) {\n"+c.loops+"\n}\n"), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := u.Programs[0]
		before := fmt.Sprint(order(p))
		got, done, left := interchange.Order(p, []nest.Pos{p.Body[0].(*nest.Loop).Pos}, false)
		want := strings.Fields(c.want)
		if len(left) > 0 != (c.want == "left") || len(done)+len(left) != 1 || len(left) == 0 && !slices.Equal(order(got), want) {
			t.Errorf("%s: %v, left %v; want %v", c.loops, order(got), left, want)
		}
		if after := fmt.Sprint(order(p)); after != before {
			t.Errorf("the program itself became %v", after)
		}
		if got, done, left := interchange.Order(p, nil, false); len(done)+len(left) > 0 || fmt.Sprint(order(got)) != before {
			t.Errorf("%s: without a place, %v, left %v", c.loops, order(got), left)
		}
	}
}

// order names the loops from the outermost inwards, along the last of each body.
func order(p *nest.Program) (names []string) {
	nodes := p.Body
	for len(nodes) > 0 {
		l, ok := nodes[len(nodes)-1].(*nest.Loop)
		if !ok {
			break
		}
		names, nodes = append(names, p.Vars[l.Var]), l.Body
	}
	return names
}

// A loop that is dealt to threads stays outermost, unless the compiler does not see the pragma: then the one that comes in its place is dealt.
func TestDealt(t *testing.T) {
	u, err := csource.Load("a.c", []byte("double A[9][9];\nvoid f(void) {\n#pragma omp parallel for\nfor (int j = 0; j < 9; j++) for (int i = 0; i < 9; i++) A[i][j] = 0;\n}\n"), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := u.Programs[0]
	at := []nest.Pos{p.Body[0].(*nest.Parallel).Body[0].(*nest.Loop).Pos}
	if _, done, left := interchange.Order(p, at, false); len(done) != 0 || len(left) != 1 {
		t.Errorf("seen: done %v, left %v", done, left)
	}
	got, done, _ := interchange.Order(p, at, true)
	outer := got.Body[0].(*nest.Parallel).Body[0].(*nest.Loop)
	if inner := outer.Body[0].(*nest.Loop); len(done) != 1 || p.Vars[outer.Var] != "i" || outer.Work == nil || inner.Work != nil {
		t.Errorf("unseen: done %v, %s outermost", done, p.Vars[outer.Var])
	}
}
