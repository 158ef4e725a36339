package expr

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestTable compares what long tables say of stretches and of values with looking at all, of numbers in any order, in rising order and with many equal
// ones; places past the ends are those of the first and the last value.
func TestTable(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 6))
	for n := range 60 {
		values := make([]int64, 1+draw.IntN(3000))
		for i := range values {
			values[i] = draw.Int64N(1+draw.Int64N(4000)) - 1000
		}
		if n%3 == 0 {
			slices.Sort(values)
		}
		table := NewTable("t", values)
		for range 300 {
			lo := draw.Int64N(int64(len(values))+40) - 20
			places := Range{lo, lo + draw.Int64N(int64(len(values)))}
			from := draw.Int64N(4000) - 1200
			to := Range{from, from + draw.Int64N(160)}
			span, first, last := Range{table.At(lo), table.At(lo)}, places.Hi+1, places.Hi
			for i := places.Lo; i <= places.Hi; i++ {
				v := table.At(i)
				span = Range{min(span.Lo, v), max(span.Hi, v)}
				if v >= to.Lo && v <= to.Hi {
					first, last = min(first, i), i
				}
			}
			if got := table.Span(places); got != span {
				t.Fatalf("of %d values, %v holds %v, not %v", len(values), places, got, span)
			}
			got := table.Holding(to, places)
			if got != (Range{first, last}) && (got.Lo <= got.Hi || first <= last) {
				t.Fatalf("of %d values, %v stand in %v at %v, not %v", len(values), to, places, got, Range{first, last})
			}
		}
	}
}

// TestComposed compares a table of what tables in tables tell with asking them.
func TestComposed(t *testing.T) {
	rows, columns := NewTable("rows", []int64{4, 0, 9, 2, 7}), NewTable("columns", []int64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7})
	at := Binary(OpAdd, Lookup(rows, Ref(1)), Binary(OpMul, Int(2), Ref(0)))
	known := map[string]*Table{}
	ranges := func(v Var) Range { return []Range{{-1, 2}, {0, 4}}[v] }
	one, again := Composed(columns, at, ranges, known), Composed(columns, at, ranges, known)
	if !Equal(one, again) || len(known) != 1 {
		t.Error("the same is asked of two tables")
	}
	if one.A.LooksUp() {
		t.Error("a table is asked behind another one")
	}
	for x := int64(-1); x <= 2; x++ {
		for y := range int64(5) {
			if got, want := one.Eval([]int64{x, y}), Lookup(columns, at).Eval([]int64{x, y}); got != want {
				t.Errorf("at %d, %d: %d, not %d", x, y, got, want)
			}
		}
	}
	if wide := Composed(columns, at, func(Var) Range { return Range{0, 1 << 30} }, known); !wide.A.LooksUp() {
		t.Error("a table of 2^60 values was made")
	}
}

// TestEvery: a place that moves by several at once has the values of the table, and their bounds alone.
func TestEvery(t *testing.T) {
	var values []int64
	for i := range int64(40) {
		values = append(values, i, 1000-i, -7, 1<<30)
	}
	table, known := NewTable("a", values), map[string]*Table{}
	ranges := func(Var) Range { return Range{0, 4} }
	for k := range int64(4) {
		at := Binary(OpAdd, Binary(OpAdd, Binary(OpMul, Ref(0), Int(20)), Binary(OpMul, Ref(1), Int(4))), Int(k))
		e := Composed(table, at, ranges, known)
		least, most := int64(1<<40), int64(-1<<40)
		for i := range int64(5) {
			for j := range int64(5) {
				env := []int64{i, j}
				want := table.At(at.Eval(env))
				if got := e.Eval(env); got != want {
					t.Fatalf("%d, %d, %d: %d, want %d", k, i, j, got, want)
				}
				least, most = min(least, want), max(most, want)
			}
		}
		if got := e.Interval(ranges); got != (Range{least, most}) {
			t.Errorf("member %d lies in %v, want %v", k, got, Range{least, most})
		}
	}
	if len(known) != 4 {
		t.Errorf("%d tables are made, want 4", len(known))
	}
}
