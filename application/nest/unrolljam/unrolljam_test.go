package unrolljam_test

import (
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/application/nest/unrolljam"
)

// read reads loops as a region.
func read(t *testing.T, loops string) *nest.Program {
	t.Helper()
	u, err := csource.Load("a.c", []byte("double A[9][9], B[9][9], x[9]; float F[9][9]; int n[9];\nvoid f(void) {\n"+loops+"\n}\n"), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return u.Programs[0]
}

// touched is which bytes of what a program reads and writes, in order.
func touched(t *testing.T, p *nest.Program, threads int) (all []string) {
	t.Helper()
	s, err := nest.NewStream(p, nest.Options{Threads: threads, Group: threads, Line: 1})
	if err != nil {
		t.Fatal(err)
	}
	s.Each(func(at nest.Place) bool {
		a := s.Reference(at.Reference)
		all = append(all, strings.Join([]string{a.Object.Name, map[bool]string{true: "=", false: ""}[a.Write], string(rune('0' + at.Thread)), string(rune(at.Line + 1))}, " "))
		return true
	})
	return all
}

// Programs with loops that do several iterations at a time make their accesses in the order of sources in which that is written out.
func TestApply(t *testing.T) {
	for _, c := range []struct{ loops, turns string }{
		{
			"for (int j = 0; j < 8; j++)\nfor (int i = 0; i < 9; i++) x[j] += A[i][j];",
			"for (int j = 0; j < 8; j += 2) for (int i = 0; i < 9; i++) { x[j] += A[i][j]; x[j+1] += A[i][j+1]; }",
		},
		{
			"for (int j = 0; j < 9; j++)\n{ x[j] = 0; for (int i = 0; i < 9; i++) if (i > 2) x[j] += A[i][j]; if (j > 3) B[j][j] = 1; }",
			`for (int j = 0; j < 8; j += 2) {
				x[j] = 0; x[j+1] = 0;
				for (int i = 0; i < 9; i++) { if (i > 2) x[j] += A[i][j]; if (i > 2) x[j+1] += A[i][j+1]; }
				if (j > 3) B[j][j] = 1;
				if (j > 2) B[j+1][j+1] = 1;
			}
			x[8] = 0; for (int i = 0; i < 9; i++) if (i > 2) x[8] += A[i][8]; B[8][8] = 1;`,
		},
		{
			"for (int j = 8; j > 0; j--)\nfor (int i = 0; i < 9; i++) if (i != 4) { for (int k = 0; k < 3; k++) A[i][j] += B[k][j]; }",
			"for (int j = 8; j > 0; j -= 2) for (int i = 0; i < 9; i++) if (i != 4) { for (int k = 0; k < 3; k++) { A[i][j] += B[k][j]; A[i][j-1] += B[k][j-1]; } }",
		},
		{ // bounds of its variable: left
			"for (int j = 0; j < 8; j++)\nfor (int i = 0; i < j; i++) x[j] += A[i][j];", "",
		},
		{ // no loop within: left
			"for (int j = 0; j < 8; j++)\nx[j] += A[3][j];", "",
		},
	} {
		p := read(t, c.loops)
		before := strings.Join(touched(t, p, 1), "\n")
		for name, jam := range map[string]unrolljam.Jam{"unrolled": {Factor: 2}, "vector": {Vector: 16}} {
			jam.At = nest.Pos{File: "a.c", Line: 3, Column: 20}
			got, done := unrolljam.Apply(p, []unrolljam.Jam{jam, {At: nest.Pos{File: "b.c", Line: 3, Column: 20}, Factor: 4}}, false)
			want, n := c.turns, 1
			if want == "" {
				want, n = c.loops, 0
			}
			if a, b := strings.Join(touched(t, got, 1), "\n"), strings.Join(touched(t, read(t, want), 1), "\n"); a != b || len(done) != n {
				t.Errorf("%s, %s: done %v\n%q\nwant\n%q", name, c.loops, done, a, b)
			}
			s, err := nest.NewStream(got, nest.Options{Threads: 1, Group: 1, Line: 64})
			if err != nil {
				t.Fatal(err)
			}
			own := map[*nest.Access]bool{}
			nest.Walk(p.Body, func(n nest.Node) {
				if s, ok := n.(*nest.Stmt); ok {
					for _, a := range s.Accesses {
						own[a] = true
					}
				}
			})
			for r := range s.References() {
				if !own[s.Reference(r).Origin()] {
					t.Errorf("%s: %s stands for nothing of the program", c.loops, s.Reference(r).Text)
				}
			}
		}
		if after := strings.Join(touched(t, p, 1), "\n"); after != before {
			t.Errorf("%s: the program itself became another", c.loops)
		}
	}
}

// Of loops that begin in one line the last before the place is meant, and lanes are as many as the smallest numbers fit a vector.
func TestPlaces(t *testing.T) {
	const loops = "for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) for (int k = 0; k < 8; k++) { F[i][j] += 1; A[k][j] += 1; }"
	for column, want := range map[int]int64{5: 1, 20: 1, 40: 4} {
		p, _ := unrolljam.Apply(read(t, loops), []unrolljam.Jam{{At: nest.Pos{File: "a.c", Line: 3, Column: column}, Vector: 16}}, false)
		outer := p.Body[0].(*nest.Loop)
		inner := outer.Body[0].(*nest.Loop)
		if column < 29 {
			if outer.Step != 4 || inner.Step != 1 {
				t.Errorf("column %d: steps %d and %d, want 4 and 1", column, outer.Step, inner.Step)
			}
		} else if outer.Step != 1 || inner.Step != want {
			t.Errorf("column %d: steps %d and %d, want 1 and %d", column, outer.Step, inner.Step, want)
		}
	}
}

// A loop that is dealt to threads is dealt by turns.
func TestDealt(t *testing.T) {
	const loop = "for (int j = 0; j < %; j++)\nfor (int i = 0; i < 9; i++) x[j] += A[i][j];"
	p := read(t, "#pragma omp parallel for\n"+strings.ReplaceAll(loop, "%", "8"))
	got, done := unrolljam.Apply(p, []unrolljam.Jam{{At: nest.Pos{File: "a.c", Line: 4, Column: 20}, Factor: 2}}, false)
	want := read(t, "#pragma omp parallel for\nfor (int j = 0; j < 8; j += 2) for (int i = 0; i < 9; i++) { x[j] += A[i][j]; x[j+1] += A[i][j+1]; }")
	if a, b := touched(t, got, 2), touched(t, want, 2); len(done) != 1 || strings.Join(a, "\n") != strings.Join(b, "\n") {
		t.Errorf("done %v: %q, want %q", done, a, b)
	}
	p = read(t, "#pragma omp parallel for schedule(static, 3)\n"+strings.ReplaceAll(loop, "%", "8"))
	if _, done := unrolljam.Apply(p, []unrolljam.Jam{{At: nest.Pos{File: "a.c", Line: 4, Column: 20}, Factor: 2}}, false); len(done) != 0 {
		t.Errorf("chunks of three are dealt in turns of two: %v", done)
	}
	p = read(t, "for (int j = 0; j < 8; j++) {\n#pragma omp parallel for\nfor (int i = 0; i < 9; i++) x[i] += A[i][j];\n}")
	jam := []unrolljam.Jam{{At: nest.Pos{File: "a.c", Line: 3, Column: 20}, Factor: 2}}
	if _, done := unrolljam.Apply(p, jam, false); len(done) != 0 {
		t.Errorf("a loop around one that is dealt is jammed: %v", done)
	}
	got, done = unrolljam.Apply(p, jam, true)
	want = read(t, "for (int j = 0; j < 8; j += 2)\nfor (int i = 0; i < 9; i++) { x[i] += A[i][j]; x[i] += A[i][j+1]; }")
	if a, b := touched(t, got, 1), touched(t, want, 1); len(done) != 1 || strings.Join(a, "\n") != strings.Join(b, "\n") {
		t.Errorf("pragmas unseen, done %v: %q, want %q", done, a, b)
	}
}
