package csource

import (
	"slices"
	"testing"
)

// TestLacking finds all values that functions lack, those too that only come to light once others are given, and none of what is read.
func TestLacking(t *testing.T) {
	const code = `typedef struct { int rows, *data; double *v; } grid;
double A[4000], B[4000];
void read(void) { for (int i = 0; i < 100; i++) A[i] = 0; }
void chosen(int mode, int n, int m) {
	int k;
	if (mode) k = n; else k = m;
	for (int i = 0; i < k; i++) A[i] = 1;
}
void member(grid *g) { for (int i = 0; i < g->rows; i++) B[i] = g->v[i]; }
void nested(int outer, int inner) { for (int i = 0; i < outer; i++) for (int j = 0; j < inner; j++) A[j] += B[j]; }
void timed(double dt, int steps) { for (double t = 0; t < 10; t += dt) for (int j = 0; j < steps; j++) A[j] += B[j]; }
void data(grid *g) { for (int i = 0; i < 10; i++) if (g->data[i] < 3) g->data[g->data[i]]++; }`
	for _, c := range []struct {
		regions []string
		want    []string
	}{
		{nil, []string{"mode=1000", "rows=1000", "outer=1000", "dt=0.5", "n=1000", "inner=1000", "steps=1000"}},
		{[]string{"nested"}, []string{"outer=1000", "inner=1000"}},
		{[]string{"read"}, nil},
		{[]string{"absent"}, nil},
	} {
		o := Options{Regions: c.regions}
		f, err := Open("a.c", []byte(code), o)
		if err != nil {
			t.Fatal(err)
		}
		u, err := f.Load(o)
		if got := f.Lacking(o, u, err); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v is lacking, want %v", c.regions, got, c.want)
		}
	}
}
