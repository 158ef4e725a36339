package nest_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// product is C = αAB + βC with an outer parallel loop.
func product(n, m, l int64) *nest.Program {
	b := &builder{}
	K := expr.Int
	A, B, C := b.object("A", false), b.object("B", false), b.object("C", false)
	c := func(i, j *expr.Expr) *nest.Access { return at(C, add(mul(8*m, i), mul(8, j))) }
	b.p.Region = "gemm"
	b.p.Body = nodes(&nest.Parallel{Body: nodes(work(b.loop(K(0), K(n-1), 1, func(i *expr.Expr) []nest.Node {
		return nodes(
			b.loop(K(0), K(m-1), 1, func(j *expr.Expr) []nest.Node { return refs(c(i, j), c(i, j)) }),
			b.loop(K(0), K(l-1), 1, func(k *expr.Expr) []nest.Node {
				return nodes(b.loop(K(0), K(m-1), 1, func(j *expr.Expr) []nest.Node {
					return refs(at(A, add(mul(8*l, i), mul(8, k))), at(B, add(mul(8*m, k), mul(8, j))), c(i, j), c(i, j))
				}))
			}))
	}), nest.Work{}))})
	return &b.p
}

func benchmarkNext(b *testing.B, p *nest.Program, o nest.Options) {
	s, err := nest.NewStream(p, o)
	if err != nil {
		b.Fatal(err)
	}
	k := s.Cursor()
	rng := rand.New(rand.NewPCG(1, 1))
	b.ResetTimer()
	for b.Loop() {
		k.At(rng.Int64N(s.Len()))
		if _, err := k.Next(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Msamples/s")
}

func BenchmarkNextUse(b *testing.B) {
	p := product(1000, 1100, 1200)
	for _, c := range []struct {
		name string
		o    nest.Options
	}{
		{"one", nest.Options{Threads: 1, Group: 1, Line: 64}},
		{"private8", nest.Options{Threads: 8, Group: 1, Line: 64}},
		{"shared2", nest.Options{Threads: 2, Group: 2, Line: 64}},
		{"shared8", nest.Options{Threads: 8, Group: 8, Line: 64}},
		{"shared64", nest.Options{Threads: 64, Group: 64, Line: 64}},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkNext(b, p, c.o) })
	}
}

func BenchmarkEach(b *testing.B) {
	for _, threads := range []int{1, 4} {
		b.Run(fmt.Sprintf("threads%d", threads), func(b *testing.B) {
			s, err := nest.NewStream(product(100, 100, 100), nest.Options{Threads: threads, Group: threads, Line: 64})
			if err != nil {
				b.Fatal(err)
			}
			lines := int64(0)
			for b.Loop() {
				s.Each(func(p nest.Place) bool { lines += p.Line; return true })
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.Len()), "ns/access")
		})
	}
}

// BenchmarkManyReferences is what a next use costs in a loop of many references to one array: it should hardly grow with them.
func BenchmarkManyReferences(b *testing.B) {
	for _, n := range []int64{16, 256, 4096} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			in := &builder{}
			a := in.object("A", false)
			in.p.Region = "many"
			in.p.Body = nodes(in.loop(expr.Int(0), expr.Int(999_999), 1, func(i *expr.Expr) (all []nest.Node) {
				for k := range n {
					all = append(all, refs(at(a, add(mul(8, i), expr.Int(8*k))))...)
				}
				return all
			}))
			benchmarkNext(b, &in.p, nest.Options{Threads: 1, Group: 1, Line: 64})
		})
	}
}
