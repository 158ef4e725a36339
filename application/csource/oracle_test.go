package csource

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"foresee/application/nest"
)

// touch is one access of a run.
type touch struct {
	object string
	offset int64
	size   int64
	write  bool
}

// run executes the loops and conditions of a program in sequential order and lists its accesses.
func run(p *nest.Program) []touch {
	var all []touch
	env := make([]int64, len(p.Vars))
	var body func([]nest.Node)
	body = func(nodes []nest.Node) {
		for _, n := range nodes {
			switch n := n.(type) {
			case *nest.Loop:
				lo, hi := n.Lo.Eval(env), n.Hi.Eval(env)
				for v := lo; n.Step > 0 && v <= hi || n.Step < 0 && v >= hi; v += n.Step {
					env[n.Var] = v
					body(n.Body)
				}
			case *nest.If:
				if n.Cond.Eval(env) != 0 {
					body(n.Then)
				} else {
					body(n.Else)
				}
			case *nest.Parallel:
				body(n.Body)
			case *nest.Single:
				body(n.Body)
			case *nest.Critical:
				body(n.Body)
			case *nest.Stmt:
				for _, a := range n.Accesses {
					all = append(all, touch{a.Object.Name, a.Offset.Eval(env), a.Size, a.Write})
				}
			}
		}
	}
	body(p.Body)
	return all
}

// recorder lists the accesses of loops written by hand in Go.
type recorder []touch

func (r *recorder) read(object string, element, size int64) {
	*r = append(*r, touch{object, element * size, size, false})
}

func (r *recorder) write(object string, element, size int64) {
	*r = append(*r, touch{object, element * size, size, true})
}

// TestAddresses compares what the nests access with Go loops written by hand from the same sources.
func TestAddresses(t *testing.T) {
	for _, c := range []struct {
		name, src string
		defines   []string
		by        func(r *recorder)
	}{
		{"gemm", "../../examples/kernels/gemm.c", []string{"MINI"}, handGemm},
		{"trisolv", "double L[12][12], x[12], b[12]; void s(void) { for (int i = 0; i < 12; i++) { x[i] = b[i];" +
			" for (int j = 0; j < i; j++) x[i] -= L[i][j] * x[j]; x[i] = x[i] / L[i][i]; } }", nil, handTrisolv},
		{"seidel down", "float a[10][10]; void s(int n) { for (int i = n - 2; i > 0; i -= 2) for (int j = 1; j <= n - 2; j++)" +
			" a[i][j] = (a[i - 1][j] + a[i][j + 1]) / 2; }", []string{"n=10"}, handSeidel},
		{"tiles", "double A[37], B[37]; \n#define min(a,b) ((a)<(b)?(a):(b))\nvoid s(void) { for (int ii = 0; ii < 37; ii += 8)" +
			" for (int i = ii; i < min(ii + 8, 37); i++) A[i] += B[36 - i]; }", nil, handTiles},
		{"negative division", "double A[40]; \n#define floord(n,d) (((n)<0) ? -((-(n)+(d)-1)/(d)) : (n)/(d))\n" +
			"void s(void) { for (int t = -9; t < 10; t++) { A[20 + floord(t, 4)] = 0; A[20 + t / 4] = 1; A[20 + t % 4] = 2; } }", nil, handDivision},
		{
			"flat with branches", "void s(int n, double *a, double *b) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)" +
				" if (i == j) continue; else if ((i + j) % 3 == 0) a[i * n + j] = b[j * n + i]; else b[i * n + j] += i > j ? a[j] : 0; }",
			[]string{"n=9"},
			handBranches,
		},
		{
			"structures", "struct p { double x; float m[3]; int k; } P[7]; void s(void) { for (int i = 0; i < 7; i++) { P[i].m[i % 3] = P[6 - i].x; P[i].k++; } }",
			nil, handStructures,
		},
		{
			"linear bounds", "double A[99]; void s(void) { for (int i = 0; 2 * i + 3 < 40 && i != 17; i++) A[i] = 0; for (int i = 30; 3 * i >= 10; i -= 4) A[i] = 1; }",
			nil, handLinear,
		},
		{"inlined", "static double dot(double *x, double *y, int n, int s) { double t = 0; for (int i = 0; i < n; i += s) t += x[i] * y[n - 1 - i]; return t; }\n" +
			"double A[6][6], B[6], C[6]; void kernel_s(void) { for (int i = 0; i < 6; i++) C[i] = B[i] + dot(A[i], B, 6, 2) * C[5 - i]; }", nil, handInlined},
		{"three dimensions", "void s(int n, int m, short a[n][m][5], long w[m]) { for (int k = 0; k < 5; k += 2) for (int i = 0; i < n; i++) for (int j = m; j-- > 0;)" +
			" a[i][j][k] = w[j] + a[n - 1 - i][j][4 - k]; }", []string{"n=3", "m=4"}, handThree},
	} {
		t.Run(c.name, func(t *testing.T) {
			src, name := []byte(c.src), "a.c"
			if strings.HasSuffix(c.src, ".c") {
				name, src = c.src, nil
				if _, err := os.Stat(name); err != nil {
					t.Skip(name, "is missing")
				}
			}
			u, err := Load(name, src, Options{Defines: c.defines})
			if err != nil {
				t.Fatal(err)
			}
			var want recorder
			c.by(&want)
			if err := sameTouches(run(u.Programs[0]), want); err != nil {
				t.Error(err)
			}
		})
	}
}

func sameTouches(got, want []touch) error {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Errorf("access %d is %v, want %v", i, got[i], want[i])
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d accesses, want %d", len(got), len(want))
	}
	return nil
}

func handGemm(r *recorder) {
	const ni, nj, nk = 20, 25, 30
	for i := range int64(ni) {
		for j := range int64(nj) {
			r.read("C", i*nj+j, 8)
			r.write("C", i*nj+j, 8)
		}
		for k := range int64(nk) {
			for j := range int64(nj) {
				r.read("A", i*nk+k, 8)
				r.read("B", k*nj+j, 8)
				r.read("C", i*nj+j, 8)
				r.write("C", i*nj+j, 8)
			}
		}
	}
}

func handTrisolv(r *recorder) {
	for i := range int64(12) {
		r.read("b", i, 8)
		r.write("x", i, 8)
		for j := range i {
			r.read("L", i*12+j, 8)
			r.read("x", j, 8)
			r.read("x", i, 8)
			r.write("x", i, 8)
		}
		r.read("x", i, 8)
		r.read("L", i*13, 8)
		r.write("x", i, 8)
	}
}

func handSeidel(r *recorder) {
	for i := int64(8); i > 0; i -= 2 {
		for j := int64(1); j <= 8; j++ {
			r.read("a", (i-1)*10+j, 4)
			r.read("a", i*10+j+1, 4)
			r.write("a", i*10+j, 4)
		}
	}
}

func handTiles(r *recorder) {
	for i := range int64(37) {
		r.read("B", 36-i, 8)
		r.read("A", i, 8)
		r.write("A", i, 8)
	}
}

func handDivision(r *recorder) {
	for t := int64(-9); t < 10; t++ {
		floor := (t+400)/4 - 100
		r.write("A", 20+floor, 8)
		r.write("A", 20+t/4, 8)
		r.write("A", 20+t%4, 8)
	}
}

func handBranches(r *recorder) {
	for i := range int64(9) {
		for j := range int64(9) {
			switch {
			case i == j:
			case (i+j)%3 == 0:
				r.read("b", j*9+i, 8)
				r.write("a", i*9+j, 8)
			default:
				if i > j {
					r.read("a", j, 8)
				}
				r.read("b", i*9+j, 8)
				r.write("b", i*9+j, 8)
			}
		}
	}
}

func handStructures(r *recorder) {
	const size = 24 // 8 + 3*4 + 4
	for i := range int64(7) {
		*r = append(*r, touch{"P", (6 - i) * size, 8, false}, touch{"P", i*size + 8 + i%3*4, 4, true})
		*r = append(*r, touch{"P", i*size + 20, 4, false}, touch{"P", i*size + 20, 4, true})
	}
}

func handLinear(r *recorder) {
	for i := int64(0); 2*i+3 < 40 && i != 17; i++ {
		r.write("A", i, 8)
	}
	for i := int64(30); 3*i >= 10; i -= 4 {
		r.write("A", i, 8)
	}
}

func handInlined(r *recorder) {
	for i := range int64(6) {
		r.read("B", i, 8)
		for k := int64(0); k < 6; k += 2 {
			r.read("A", i*6+k, 8)
			r.read("B", 5-k, 8)
		}
		r.read("C", 5-i, 8)
		r.write("C", i, 8)
	}
}

func handThree(r *recorder) {
	for k := int64(0); k < 5; k += 2 {
		for i := range int64(3) {
			for j := int64(3); j >= 0; j-- {
				r.read("w", j, 8)
				r.read("a", ((2-i)*4+j)*5+4-k, 2)
				r.write("a", (i*4+j)*5+k, 2)
			}
		}
	}
}
