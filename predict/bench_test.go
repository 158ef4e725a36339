package predict_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"foresee/application"
	"foresee/application/csource"
	"foresee/internal/oracle/kernels"
	"foresee/machine"
	"foresee/predict"
)

// BenchmarkRun is the main job: LARGE kernels at four thread counts.
func BenchmarkRun(b *testing.B) {
	m, err := machine.Load("i7-5960x")
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"gemm", "lu", "jacobi-2d", "nussinov", "jacobi-2d-timetiled"} {
		ks, err := kernels.Load(b.TempDir(), "LARGE", name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := predict.Run(context.Background(), predict.Request{
					Signature: application.OfLoops("", ks[0].Program), Machines: []*machine.Machine{m}, Threads: []int{1, 2, 4, 8},
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkExactCurve walks every access of a matrix product.
func BenchmarkExactCurve(b *testing.B) {
	unit, err := csource.Load("../examples/kernels/gemm.c", nil, csource.Options{Defines: []string{"MEDIUM"}})
	if err != nil {
		b.Fatal(err)
	}
	for _, threads := range []int{1, 4} {
		b.Run(fmt.Sprintf("threads%d", threads), func(b *testing.B) {
			accesses := int64(0)
			for b.Loop() {
				r, err := predict.Curves(context.Background(), predict.CurveRequest{
					Signature: application.OfLoops("", unit.Programs...), Threads: []int{threads}, Scope: "both", Method: predict.MethodExact,
				})
				if err != nil {
					b.Fatal(err)
				}
				accesses = r.Curves[0].Accesses
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(accesses), "ns/access")
		})
	}
}

// BenchmarkManyStatements is a loop of very many statements, as generated code has them, on one place or on many. What a statement costs
// must not grow with their number where they are on one place; on many it does, as every reference may be the next use of each other.
func BenchmarkManyStatements(b *testing.B) {
	m, err := machine.Load("i7-5960x")
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{250, 1000, 4000} {
		one, many := strings.Repeat("A[i] += 1;\n", n), strings.Builder{}
		for k := range n {
			fmt.Fprintf(&many, "A[i + %d] += B[i + %d];\n", k*37%n, k)
		}
		manyStatements(b, m, fmt.Sprintf("one/%d", n), one, n)
		manyStatements(b, m, fmt.Sprintf("many/%d", n), many.String(), n)
	}
}

// manyStatements predicts a loop with n statements as its body.
func manyStatements(b *testing.B, m *machine.Machine, name, body string, n int) {
	text := "double A[9000], B[9000];\nint main(void) {\nfor (int i = 0; i < 1000; i++) {\n" + body + "}\nreturn 0;\n}\n"
	unit, err := csource.Load("k.c", []byte(text), csource.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			_, err := predict.Run(context.Background(), predict.Request{
				Signature: application.OfLoops("", unit.Programs...), Machines: []*machine.Machine{m}, Threads: []int{1, 2, 4, 8},
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/statement")
	})
}
