package record

import (
	"strings"
	"testing"
)

// What lines give memory to, as whoever wrote them would say. The bar stands before the column that line tables tell; a line without one tells none.
func TestGivenTo(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"    double *tmp = |malloc(n * sizeof *tmp);", "tmp"},
		{"    f->rho = |xmalloc(n * sizeof(double));", "f->rho"},
		{"    a[i] = |(double *)calloc(n, 8);", "a[i]"},
		{"    x = malloc(8); y = |malloc(9);", "y"},
		{"    if ((p = |malloc(n)) == NULL)", "p"},
		{"    std::vector<float> |weights(n * n, 1.0f);", "weights"},
		{"    std::vector<float> weights(n * n, 1.0f)|;", "weights"},
		{"    std::vector<float> weights(n * n, 1.0f);", "weights"},
		{"    std::vector<std::vector<double>> rows(n, |std::vector<double>(n));", "rows"},
		{"    Grid(int n) : |u(n * n), v(n * n), raw(new double[n * n]) {}", "u"},
		{"    Grid(int n) : u(n * n), |v(n * n), raw(new double[n * n]) {}", "v"},
		{"    Grid(int n) : u(n * n), v(n * n), raw(|new double[n * n]) {}", "raw"},
		{"    Grid(int n) : u(n * n), v(n * n), raw(new double[n * n]|) {}", "raw"},
		{"    auto table = |std::make_unique<int[]>(4096);", "table"},
		{"    this->cells = |new Cell[n];", "this->cells"},
		{"    |list.push_back(x);", "list"},
		{"    mesh.nodes.|resize(n);", "mesh.nodes"},
		{"    return |malloc(n);", ""},
		{"    foo(|malloc(n));", ""},
		{"", ""},
	} {
		before, after, has := strings.Cut(c.line, "|")
		column := 0
		if has {
			column = len(before) + 1
		}
		if got := givenTo(before+after, column); got != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}

// What lines of Rust give memory to, likewise.
func TestBoundTo(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"    let mut a = |vec![0u64; 100];", "a"},
		{"    let x: Vec<f64> = (0..64).map(|i| i as f64).|collect();", "x"},
		{"        weights: (0..n).map(|i| i as f32).|collect(),", "weights"},
		{"    fn new(w: usize) -> Grid { Grid { cells: |vec![0.0; w * w], width: w } }", "cells"},
		{"    fn new(w: usize) -> Grid { Grid { width: w, cells: |vec![0.0; w * w] } }", "cells"},
		{"    static mut TABLE: |Vec<u8> = Vec::new();", "TABLE"},
		{"    grown.|push(i * 3);", "grown"},
		{"    self.cells = |Vec::with_capacity(n);", "self.cells"},
		{"    |f(vec![1; n])", ""},
		{"", ""},
	} {
		i := strings.LastIndexByte(c.line, '|')
		line, column := c.line, 0
		if i >= 0 {
			line, column = c.line[:i]+c.line[i+1:], i+1
		}
		if got := boundTo(line, column); got != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}

// Arrays of allocate statements.
func TestAllocatable(t *testing.T) {
	for rest, want := range map[string]string{
		"a(n,n), b(n,n))": "a,b", "x%u(0:n+1), stat=ierr)": "x%u", "grid(size(a,1), n))": "grid", "a(n), &": "a", "": "", ")": "",
	} {
		if got := allocatable(rest); got != want {
			t.Errorf("allocate(%s: %q, want %q", rest, got, want)
		}
	}
}
