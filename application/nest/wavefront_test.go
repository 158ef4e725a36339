package nest_test

import (
	"testing"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// wavefront is a dynamic program by diagonals d, as Nussinov's: the iterations of a diagonal are alike, but what they do depends on d by a
// condition; another condition always holds, and a third is about i < i + d − 1.
func wavefront(b *builder, n int64, w nest.Work) []nest.Node {
	T := b.object("T", false)
	e := func(i, j *expr.Expr) *nest.Access { return at(T, add(mul(8*n, i), mul(8, j))) }
	one := expr.Int(1)
	less := func(x, y *expr.Expr) *expr.Expr { return expr.Binary(expr.OpLt, x, y) }
	return nodes(b.loop(one, expr.Int(n-1), 1, func(d *expr.Expr) []nest.Node {
		return nodes(&nest.Parallel{Body: nodes(work(b.loop(expr.Int(0), sub(expr.Int(n-1), d), 1, func(i *expr.Expr) []nest.Node {
			j := add(i, d)
			return nodes(
				&nest.If{Cond: less(i, expr.Int(n-1)), Then: refs(e(i, j), e(add(i, one), j)), Else: refs(e(i, i))},
				&nest.If{Cond: less(i, sub(j, one)), Then: refs(e(add(i, one), sub(j, one)))},
				b.loop(add(i, one), sub(j, one), 1, func(k *expr.Expr) []nest.Node { return refs(e(i, k), e(add(k, one), j)) }),
				refs(e(i, j))[0])
		}), w))})
	}))
}

// TestWavefrontCounts: iterations that are alike are not listed one by one, which many diagonals have no room for; the number of accesses is the
// closed form 3 of each pair i < j, one more where j > i + 1, and two of each k between.
func TestWavefrontCounts(t *testing.T) {
	const n = int64(10_000)
	for _, threads := range []int{1, 7} {
		b := &builder{}
		b.p.Region = "wavefront"
		b.p.Body = wavefront(b, n, nest.Work{})
		s, err := nest.NewStream(&b.p, nest.Options{Threads: threads, Group: 1, Line: 64})
		if err != nil {
			t.Fatal(err)
		}
		pairs, between := n*(n-1)/2, n*(n-1)*(n-2)/6
		if got, want := s.Len(), 3*pairs+pairs-(n-1)+2*between; got != want {
			t.Errorf("%d threads: %d accesses, want %d", threads, got, want)
		}
	}
}
