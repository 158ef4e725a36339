package nest_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/internal/oracle/interpreter"
)

// What is affine is counted exactly; the rest of small arrays line by line, and sampled with more than 64 lines in each of several groups.
func TestFootprint(t *testing.T) {
	for name, p := range programs(nest.Work{}) {
		for _, o := range teams {
			s, err := nest.NewStream(p, o)
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			for _, g := range interpreter.Streams(p, o) {
				lines := map[interpreter.Touch]bool{}
				for _, a := range g {
					lines[a.Touch] = true
				}
				want += len(lines)
			}
			got, off, err := s.Footprint(1)
			if err != nil || math.Abs(got-float64(want)) > 3*off {
				t.Errorf("%s %+v: %v ± %v lines, want %d (%v)", name, o, got, off, want, err)
			}
		}
	}
}

// All lines of an array that is walked by i·7919 mod n, in more pieces than are listed.
func TestFootprintOfManyPieces(t *testing.T) {
	b := &builder{}
	A := b.object("A", false)
	const n = 100_000
	b.p.Body = nodes(b.loop(expr.Int(0), expr.Int(n-1), 1, func(i *expr.Expr) []nest.Node {
		return refs(at(A, mul(8, expr.Binary(expr.OpMod, mul(7919, i), expr.Int(n)))))
	}))
	s, err := nest.NewStream(&b.p, nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	got, off, err := s.Footprint(1)
	if want := n * 8 / 64.; err != nil || math.Abs(got-want) > 3*off || off > 0.01*want {
		t.Errorf("%v ± %v lines, want %v (%v)", got, off, want, err)
	}
	if e := s.Extents(); len(e) != 1 || e[0].Lines != n*8/64 {
		t.Errorf("it lies in %+v", e)
	}
}

// A table that chooses few elements of a large array leaves most of its lines out.
func TestFootprintOfScattered(t *testing.T) {
	b := &builder{}
	A := b.object("A", false)
	draw := rand.New(rand.NewPCG(3, 4))
	values, lines := make([]int64, 20_000), map[int64]bool{}
	for i := range values {
		values[i] = draw.Int64N(1_000_000)
		lines[values[i]/8] = true
	}
	columns := expr.NewTable("columns", values)
	b.p.Body = nodes(b.loop(expr.Int(0), expr.Int(int64(len(values))-1), 1, func(i *expr.Expr) []nest.Node {
		return refs(at(A, mul(8, expr.Lookup(columns, i))))
	}))
	s, err := nest.NewStream(&b.p, nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	if share := s.Scattered(0, 64); share < 0.99 {
		t.Errorf("scattered: %v", share)
	}
	got, off, err := s.Footprint(1)
	if want := float64(len(lines)); err != nil || math.Abs(got-want) > 3*off || off > 0.1*want {
		t.Errorf("%v ± %v lines, want %v (%v)", got, off, want, err)
	}
}

// Columns of the rows of a mesh lie beside those of the rows before, whichever order they have; what no table chooses is not scattered.
func TestMeshIsNotScattered(t *testing.T) {
	b := &builder{}
	A := b.object("A", false)
	var values []int64
	for i := range int64(10_000) {
		values = append(values, i, i+1, max(i-1, 0), i+100, max(i-100, 0))
	}
	columns := expr.NewTable("columns", values)
	b.p.Body = nodes(b.loop(expr.Int(0), expr.Int(int64(len(values))-1), 1, func(i *expr.Expr) []nest.Node {
		return refs(at(A, mul(8, expr.Lookup(columns, i))), at(A, mul(8, i)))
	}))
	s, err := nest.NewStream(&b.p, nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	for r := range s.References() {
		if share := s.Scattered(r, 64); share > 0.01 {
			t.Errorf("%s: scattered: %v", s.Reference(r).Text, share)
		}
	}
}

// Arrays of a known size follow one another with all that belongs to them, however little of it is touched; the footprint is what is.
func TestArraysLieWhole(t *testing.T) {
	b := &builder{}
	whole, open := b.object("A", false), b.object("B", false)
	last := b.object("C", false)
	whole.Bytes, open.Bytes, last.Bytes = 4096, 0, 4096
	b.p.Body = nodes(b.loop(expr.Int(0), expr.Int(9), 1, func(i *expr.Expr) []nest.Node {
		return refs(at(whole, add(mul(64, i), expr.Int(128))), at(open, mul(64, i)), at(last, mul(64, i)))
	}))
	s, err := nest.NewStream(&b.p, nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	want := []nest.Extent{{Object: whole, First: 2, Lines: 10}, {Object: open, First: 64, Lines: 10}, {Object: last, First: 74, Lines: 10}}
	if got := s.Extents(); !slices.Equal(got, want) {
		t.Errorf("they lie in %+v, want %+v", got, want)
	}
}

// A triangle in blocks: of T threads the last does (2T−1)/T² of the work.
func TestBalance(t *testing.T) {
	b := &builder{}
	A := b.object("A", false)
	const n, threads = 4000, 8
	b.p.Body = nodes(&nest.Parallel{Body: nodes(work(b.loop(expr.Int(0), expr.Int(n-1), 1, func(i *expr.Expr) []nest.Node {
		return nodes(b.loop(expr.Int(0), i, 1, func(j *expr.Expr) []nest.Node { return refs(at(A, mul(8, j))) }))
	}), nest.Work{}))})
	s, err := nest.NewStream(&b.p, nest.Options{Threads: threads, Group: threads, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	got := s.Balance(1)
	if want := float64(2*threads-1) / threads; got.Parallel != 1 || math.Abs(got.Imbalance-want) > 0.01 {
		t.Errorf("%+v, want imbalance %v", got, want)
	}
}

// Walking from an access finds the next use where solving does.
func TestWalkAgreesWithNext(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for name, p := range programs(nest.Work{}) {
		s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 64})
		if err != nil {
			t.Fatal(err)
		}
		k := s.Cursor()
		for range 300 {
			r := rng.Int64N(s.Len())
			k.At(r)
			use, err := k.Next()
			if err != nil {
				t.Fatal(err)
			}
			steps := s.Len()
			if use.Position != nest.Never {
				steps = use.Position - r
			}
			if k.Walk(r, steps) && use.Position != nest.Never {
				t.Fatalf("%s: the walk from %d ends before %d", name, r, use.Position)
			}
			if !k.Walk(r, steps+1) {
				t.Fatalf("%s: the walk from %d does not end at %d", name, r, use.Position)
			}
		}
	}
}

func TestCheckNamesWhatIsWrong(t *testing.T) {
	K := expr.Int
	for want, f := range map[string]func(b *builder) []nest.Node{
		"never ends": func(b *builder) []nest.Node {
			return nodes(b.loop(K(0), K(3), 0, func(i *expr.Expr) []nest.Node { return nil }))
		},
		"may divide by zero": func(b *builder) []nest.Node {
			A := b.object("A", false)
			return nodes(b.loop(K(0), K(3), 1, func(i *expr.Expr) []nest.Node {
				return refs(at(A, expr.Binary(expr.OpDiv, K(8), i)))
			}))
		},
		"may overflow": func(b *builder) []nest.Node {
			A := b.object("A", false)
			return nodes(b.loop(K(0), K(1<<40), 1, func(i *expr.Expr) []nest.Node {
				return refs(at(A, expr.Binary(expr.OpMul, i, K(1<<40))))
			}))
		},
		"outside its loop": func(b *builder) []nest.Node {
			A := b.object("A", false)
			l := b.loop(K(0), K(3), 1, func(i *expr.Expr) []nest.Node { return nil })
			return append(nodes(l), refs(at(A, expr.Ref(l.Var)))...)
		},
		"inside a worksharing construct": func(b *builder) []nest.Node {
			return nodes(&nest.Parallel{Body: nodes(work(b.loop(K(0), K(3), 1, func(i *expr.Expr) []nest.Node {
				return nodes(work(b.loop(K(0), K(3), 1, func(j *expr.Expr) []nest.Node { return nil }), nest.Work{}))
			}), nest.Work{}))})
		},
		"rectangular": func(b *builder) []nest.Node {
			return nodes(&nest.Parallel{Body: nodes(work(b.loop(K(0), K(3), 1, func(i *expr.Expr) []nest.Node {
				return nodes(b.loop(K(0), i, 1, func(j *expr.Expr) []nest.Node { return nil }))
			}), nest.Work{Collapse: 2}))})
		},
	} {
		b := &builder{}
		b.p.Body = f(b)
		if err := nest.Check(&b.p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want …%s…", err, want)
		}
	}
}

func TestCheckKnowsWhatLoopsRule(t *testing.T) {
	b := &builder{}
	A := b.object("A", false)
	K := expr.Int
	square := func(n *expr.Expr) *expr.Expr { return expr.Binary(expr.OpMul, n, n) }
	b.p.Body = nodes(b.loop(K(0), K(3), 1, func(n *expr.Expr) []nest.Node {
		return nodes(b.loop(K(0), expr.Binary(expr.OpSub, square(n), K(1)), 1, func(c *expr.Expr) []nest.Node {
			return refs(at(A, expr.Binary(expr.OpDiv, c, n)), at(A, expr.Binary(expr.OpMod, c, n)))
		}))
	}))
	if err := nest.Check(&b.p); err != nil {
		t.Error(err)
	}
	b.p.Body[0].(*nest.Loop).Body[0].(*nest.Loop).Hi = square(expr.Ref(b.p.Body[0].(*nest.Loop).Var))
	if err := nest.Check(&b.p); err == nil {
		t.Error("n*n+1 iterations divide by n = 0 once")
	}
}

func TestTooLongAStreamIsRefused(t *testing.T) {
	b := &builder{}
	A := b.object("A", false)
	big := expr.Int(1 << 40)
	b.p.Body = nodes(b.loop(expr.Int(1), big, 1, func(i *expr.Expr) []nest.Node {
		return nodes(b.loop(expr.Int(1), big, 1, func(j *expr.Expr) []nest.Node { return refs(at(A, mul(8, j))) }))
	}))
	if _, err := nest.NewStream(&b.p, nest.Options{Threads: 1, Group: 1, Line: 64}); err == nil || !strings.Contains(err.Error(), "2e18") {
		t.Errorf("%v", err)
	}
}

// A condition that no two iterations share the shape of is counted as long as the tables fit, then refused.
func TestIrregularCountsAreRefused(t *testing.T) {
	for n, refused := range map[int64]bool{60: false, 6000: true} {
		b := &builder{}
		A := b.object("A", false)
		last := expr.Int(n - 1)
		b.p.Body = nodes(b.loop(expr.Int(0), last, 1, func(i *expr.Expr) []nest.Node {
			return nodes(b.loop(expr.Int(0), last, 1, func(j *expr.Expr) []nest.Node {
				product := expr.Binary(expr.OpMul, i, j)
				odd := expr.Binary(expr.OpLt, expr.Binary(expr.OpMod, product, expr.Int(7)), expr.Int(3))
				return nodes(&nest.If{Cond: odd, Then: refs(at(A, mul(8, j)))})
			}))
		}))
		if _, err := nest.NewStream(&b.p, nest.Options{Threads: 1, Group: 1, Line: 64}); errors.Is(err, nest.ErrIrregular) != refused {
			t.Errorf("n = %d: %v", n, err)
		}
	}
}

// Conditions on remainders repeat: their tables are shared.
func TestPeriodicConditions(t *testing.T) {
	const n = 3000
	b := &builder{}
	A := b.object("A", false)
	b.p.Body = nodes(b.loop(expr.Int(0), expr.Int(99), 1, func(time *expr.Expr) []nest.Node {
		return nodes(b.loop(expr.Int(0), expr.Int(n-1), 1, func(i *expr.Expr) []nest.Node {
			return nodes(b.loop(expr.Int(0), expr.Int(n-1), 1, func(j *expr.Expr) []nest.Node {
				sum := expr.Binary(expr.OpMod, add(add(i, j), time), expr.Int(2))
				return nodes(&nest.If{Cond: expr.Binary(expr.OpEq, sum, expr.Int(0)), Then: refs(at(A, add(mul(8*n, i), mul(8, j))))})
			}))
		}))
	}))
	s, err := nest.NewStream(&b.p, nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	if want := int64(100 * n * n / 2); s.Len() != want {
		t.Errorf("%d accesses, want %d", s.Len(), want)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	p := programs(nest.Work{})["gemm"]
	for _, o := range []nest.Options{{}, {Threads: 2, Group: 3, Line: 64}, {Threads: 1, Group: 1, Line: 48}, {Threads: 1, Group: 1}} {
		if _, err := nest.NewStream(p, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

func TestCountRuns(t *testing.T) {
	p := programs(nest.Work{})["lu"]
	r, err := nest.CountRuns(p)
	if err != nil {
		t.Fatal(err)
	}
	const n = 14
	var got []int64
	nest.Walk(p.Body, func(x nest.Node) {
		switch x := x.(type) {
		case *nest.Loop:
			got = append(got, r.Entry[x], r.Iteration[x])
		case *nest.Stmt:
			got = append(got, r.Statement[x])
		}
	})
	triangle, pyramid := int64(n*(n-1)/2), int64((n-1)*n*(2*n-1)/6)
	want := []int64{1, n, n, triangle, triangle, n, triangle, triangle, pyramid, pyramid}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}
