package nest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"foresee/application/nest/expr"
)

// sparse is y[i] += val[j]·x[col[j]] for j from off[i] to off[i+1] − 1, steps times.
func sparse(seed uint64, rows, steps int64) *Program {
	draw := rand.New(rand.NewPCG(seed, 3))
	off, col := []int64{0}, []int64{}
	for range rows {
		for range draw.IntN(5) {
			col = append(col, draw.Int64N(rows))
		}
		off = append(off, int64(len(col)))
	}
	col = append(col, 0)
	offs, cols := expr.NewTable("off", off), expr.NewTable("col", col)
	x, y, val := &Object{Name: "x", Elem: 8}, &Object{Name: "y", Elem: 8}, &Object{Name: "val", Elem: 8}
	i, j := expr.Ref(1), expr.Ref(2)
	at := func(o *Object, index *expr.Expr, write bool) *Access {
		return &Access{Object: o, Offset: expr.Binary(expr.OpMul, index, expr.Int(8)), Size: 8, Write: write}
	}
	inner := &Loop{Var: 2, Lo: expr.Lookup(offs, i), Hi: expr.Binary(expr.OpSub, expr.Lookup(offs, expr.Binary(expr.OpAdd, i, expr.Int(1))), expr.Int(1)), Step: 1, Body: []Node{
		&Stmt{Accesses: []*Access{at(val, j, false), at(x, expr.Lookup(cols, j), false), at(y, i, false), at(y, i, true)}},
	}}
	outer := &Loop{Var: 1, Lo: expr.Int(0), Hi: expr.Int(rows - 1), Step: 1, Body: []Node{inner}}
	return &Program{Region: "sparse", Vars: []string{"t", "i", "j"}, Objects: []*Object{x, y, val}, Body: []Node{&Loop{Var: 0, Lo: expr.Int(0), Hi: expr.Int(steps - 1), Step: 1, Body: []Node{outer}}}}
}

// TestListed: what is listed is what the solver finds.
func TestListed(t *testing.T) {
	for seed := range uint64(6) {
		for _, o := range []Options{{Threads: 1, Group: 1, Line: 64}, {Threads: 1, Group: 1, Line: 16}} {
			s, err := NewStream(sparse(seed, 40, 3), o)
			if err != nil {
				t.Fatal(err)
			}
			if s.listed == nil {
				t.Fatal("it is not listed")
			}
			solved := *s
			solved.listed = nil
			a, b := s.Cursor(), solved.Cursor()
			for p := range s.Len() {
				if x, y := a.At(p), b.At(p); x != y {
					t.Fatalf("place %+v, want %+v", x, y)
				}
				x, err := a.Next()
				if err != nil {
					t.Fatal(err)
				}
				y, err := b.Next()
				if err != nil {
					t.Fatal(err)
				}
				if x != y {
					t.Fatalf("seed %d, position %d: next use %+v, want %+v", seed, p, x, y)
				}
				if x, _ := a.UsedBefore(p + 20); x != (y.Position != Never && y.Position < p+20) {
					t.Errorf("position %d: used before %v", p, x)
				}
			}
			x, spread, err := s.Footprint(1)
			y, _, err2 := solved.Footprint(1)
			if err != nil || err2 != nil || spread != 0 || x != y {
				t.Errorf("footprint %v ± %v, want %v (%v, %v)", x, spread, y, err, err2)
			}
			for _, object := range s.model.objects {
				x, err := s.FirstUsers(object, 1000)
				y, err2 := solved.FirstUsers(object, 1000)
				if err != nil || err2 != nil || !slices.Equal(x, y) {
					t.Errorf("first users of %s: %v, want %v (%v, %v)", object.Name, x, y, err, err2)
				}
			}
		}
	}
}

// BenchmarkListed finds next uses of a stream whose places tables tell.
func BenchmarkListed(b *testing.B) {
	s, err := NewStream(sparse(1, 20_000, 1), Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		b.Fatal(err)
	}
	k := s.Cursor()
	draw := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		k.At(draw.Int64N(s.Len()))
		if _, err := k.Next(); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMembersReach: where places stand in members of structures, what is touched is found though other members are anything.
func TestMembersReach(t *testing.T) {
	n := int64(60)
	var faces []int64
	for k := range n * n {
		faces = append(faces, k, max(k-n, -1), 1<<30, 0)
	}
	table, u := expr.NewTable("faces", faces), &Object{Name: "u", Elem: 8}
	member := func(k int64) *expr.Expr {
		at := expr.Binary(expr.OpAdd, expr.Binary(expr.OpMul, expr.Ref(0), expr.Int(4)), expr.Int(k))
		return expr.Composed(table, at, func(expr.Var) expr.Range { return expr.Range{Lo: 0, Hi: n*n - 1} }, map[string]*expr.Table{})
	}
	of := func(cell *expr.Expr) *Stmt {
		return &Stmt{Accesses: []*Access{{Object: u, Offset: expr.Binary(expr.OpMul, cell, expr.Int(32)), Size: 8}}}
	}
	p := &Program{Region: "faces", Vars: []string{"i"}, Objects: []*Object{u}, Body: []Node{&Loop{Var: 0, Lo: expr.Int(0), Hi: expr.Int(n*n - 1), Step: 1, Body: []Node{
		of(member(0)), &If{Cond: expr.Binary(expr.OpLe, expr.Int(0), member(1)), Then: []Node{of(member(1))}},
	}}}}
	s, err := NewStream(p, Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	s.listed = nil
	s.layOut()
	if lines := s.extents[len(s.extents)-1].Lines; lines != n*n/2 {
		t.Errorf("%d lines may be touched, want %d", lines, n*n/2)
	}
	if lines, spread, err := s.Footprint(1); err != nil || lines != float64(n*n/2) || spread != 0 {
		t.Errorf("%v ± %v lines are touched, want %d (%v)", lines, spread, n*n/2, err)
	}
}

// TestLatest: a use of a line is found again wherever the line is.
func TestLatest(t *testing.T) {
	draw, want := rand.New(rand.NewPCG(4, 5)), map[int64]int32{}
	var u latest
	for p := range int32(20_000) {
		line := draw.Int64N(3000) - 1500
		if p%50 == 0 {
			line = draw.Int64N(1<<40) - 1<<39
		} else if p%70 == 0 {
			line = mostListed + int64(p%3) - 500
		}
		before, used := want[line]
		if !used {
			before = -1
		}
		if got := u.exchange(line, p); got != before {
			t.Fatalf("line %d at %d: %d, want %d", line, p, got, before)
		}
		want[line] = p
	}
}
