package nest_test

import (
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
)

// A loop of few iterations inside one that goes on by elements is as many streams in sequence.
func TestStride(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		want   int64
	}{
		"row":                {`double a[100][50]; double s; void k(void) { for (int i = 0; i < 100; i++) for (int j = 0; j < 50; j++) s += a[i][j]; }`, 8},
		"column":             {`double a[100][50]; double s; void k(void) { for (int j = 0; j < 50; j++) for (int i = 0; i < 100; i++) s += a[i][j]; }`, 400},
		"four streams":       {`double a[4][5000]; double s; void k(void) { for (int i = 0; i < 5000; i++) for (int c = 0; c < 4; c++) s += a[c][i]; }`, 8},
		"few, but not known": {`double a[40][5000]; double s; void k(void) { for (int i = 0; i < 30; i++) for (int c = 0; c < i; c++) s += a[c][i]; }`, 40000},
		"short rows":         {`double a[100][4]; double s; void k(void) { for (int i = 0; i < 100; i++) for (int c = 0; c < 4; c++) s += a[i][c]; }`, 8},
	} {
		unit, err := csource.Load("x.c", []byte(c.source), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := nest.NewStream(unit.Programs[0], nest.Options{Threads: 1, Group: 1, Line: 64})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for i := range s.References() {
			found = found || s.Stride(i, 16) == c.want
		}
		if !found {
			t.Errorf("%s: no reference has the stride %d", name, c.want)
		}
	}
}

// How far accesses go on by loops whose variables inner loops begin with, and which accesses go on together.
func TestAdvance(t *testing.T) {
	unit, err := csource.Load("x.c", []byte(`double a[100][64], b[100][64];
void k(void) {
  for (int t = 0; t < 96; t += 16)
    for (int u = 0; u < 64; u += 8)
      for (int i = t; i < t + 16; i++)
        for (int j = u; j < u + 8; j++)
          b[i][j] = a[i][j] + a[i][j + 1] + a[i + 1][j] + a[2 * i][j];
}`), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var loops []*nest.Loop
	var body *nest.Stmt
	for nodes := unit.Programs[0].Body; body == nil; {
		switch n := nodes[0].(type) {
		case *nest.Loop:
			loops, nodes = append(loops, n), n.Body
		case *nest.Stmt:
			body = n
		}
	}
	of := map[string]*nest.Access{}
	for _, a := range body.Accesses {
		of[a.Text] = a
	}
	for i, want := range []int64{16 * 512, 64, 512, 8} {
		if got := of["a[i][j]"].AdvanceOver(loops, i); got != want {
			t.Errorf("loop %d: %d bytes, want %d", i, got, want)
		}
	}
	for text, want := range map[string]bool{"a[i][j]": true, "a[i][j + 1]": true, "a[i + 1][j]": false, "a[2 * i][j]": false, "b[i][j]": false} {
		if got := of["a[i][j]"].Near(of[text], 64); got != want {
			t.Errorf("%s near a[i][j]: %v", text, got)
		}
	}
}
