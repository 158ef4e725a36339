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
