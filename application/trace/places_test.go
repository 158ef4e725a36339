package trace_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"foresee/application/trace"
)

// TestPlaces compares objects that are added, moved and removed with a list that is searched from its end.
func TestPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p trace.Places
		var all []trace.Object
		high := rapid.Bool().Draw(t, "high") // up to the last address
		at := func(a uint64) uint64 {
			if high {
				return math.MaxUint64 - 80 + a
			}
			return a
		}
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			begin := rapid.Uint64Range(0, 60).Draw(t, "begin")
			o := trace.Object{Address: at(begin), Bytes: rapid.Uint64Range(0, 80-begin).Draw(t, "bytes")}
			i := rapid.IntRange(0, len(all)).Draw(t, "number")
			p.Set(i, o)
			if i == len(all) {
				all = append(all, o)
			}
			all[i] = o
			if p.Len() != len(all) || p.Object(i) != o {
				t.Fatalf("%d objects, %+v", p.Len(), p.Object(i))
			}
		}
		want := func(a uint64) int {
			best := trace.Nowhere
			for i, o := range all {
				if o.Address <= a && a-o.Address < o.Bytes && (best < 0 || o.Address >= all[best].Address) {
					best = i
				}
			}
			return best
		}
		for a := range uint64(81) {
			number, from, until := p.Find(at(a))
			if number != want(at(a)) {
				t.Fatalf("at %d: %d, want %d of %+v", at(a), number, want(at(a)), all)
			}
			for b := range uint64(81) {
				if b := at(b); b >= from && b < until && want(b) != number {
					t.Fatalf("from %d to %d all is said to be in %d, but %d is in %d", from, until, number, b, want(b))
				}
			}
		}
	})
}

// TestManyPlaces adds, moves and finds very many objects, side by side and inside one another.
func TestManyPlaces(t *testing.T) {
	const n = 200_000
	begin := time.Now()
	for name, object := range map[string]func(i int) trace.Object{
		"side by side":       func(i int) trace.Object { return trace.Object{Address: uint64(i*7919%n) * 64, Bytes: 64} },
		"inside one another": func(i int) trace.Object { return trace.Object{Address: uint64(i), Bytes: uint64(2*n - 2*i)} },
		"one around the rest": func(i int) trace.Object {
			return trace.Object{Address: uint64(i) * 64, Bytes: uint64(8 + (n-i)/n*64*n)}
		},
	} {
		var p trace.Places
		for i := range n {
			p.Set(i, object(i))
			p.Find(uint64(i) * 64)
			p.Find(math.MaxUint64)
		}
		for i := range n {
			p.Set(i, object((i+1)%n))
		}
		if got, _, _ := p.Find(object(5).Address); got != 4 {
			t.Errorf("%s: %d", name, got)
		}
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("they take %v", took)
	}
}
