package predict

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"foresee/application/trace"
)

// TestLearn changes the names of objects again and again, of which each change is told, or too many at once, and compares what is found then
// with a search through all of them.
func TestLearn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := &trace.Names{}
		o := objects{wanted: true}
		any := func() trace.Object {
			return trace.Object{Name: "a", Address: rapid.Uint64Range(0, 50).Draw(t, "address"), Bytes: rapid.Uint64Range(0, 20).Draw(t, "bytes")}
		}
		for range rapid.IntRange(1, 12).Draw(t, "reads") {
			for range rapid.IntRange(0, 4).Draw(t, "steps") {
				i := rapid.IntRange(0, len(names.Objects)).Draw(t, "number")
				if i == len(names.Objects) {
					names.Objects = append(names.Objects, any())
					continue
				}
				names.Objects[i] = any()
				names.Changes++
				names.Changed = append(names.Changed, i)
			}
			if rapid.Bool().Draw(t, "missed") { // nobody looked
				names.Changed = names.Changed[:0]
				continue
			}
			o.learn(names)
			names.Changed = names.Changed[:0]
			for a := range uint64(75) {
				want := elsewhere
				for i, x := range names.Objects {
					if x.Address <= a && a-x.Address < x.Bytes && (want < 0 || x.Address >= names.Objects[want].Address) {
						want = i
					}
				}
				if got := o.find(a); got != want {
					t.Fatalf("at %d: %d, want %d of %+v", a, got, want, names.Objects)
				}
			}
		}
	})
}

// TestDealt looks for the ratio that parts below their most have in common, by halving it, where there is enough room.
func TestDealt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var wanted, most []float64
		all, useful := 0.0, 0.0
		for range rapid.IntRange(1, 6).Draw(t, "parts") {
			wanted = append(wanted, rapid.SampledFrom([]float64{0, 1e-18, 0.25, 0.5, 1, 3}).Draw(t, "wanted"))
			most = append(most, rapid.SampledFrom([]float64{0, 1e-9, 0.1, 0.5, 2}).Draw(t, "most"))
			all += most[len(most)-1]
			if wanted[len(wanted)-1] > 0 {
				useful += most[len(most)-1]
			}
		}
		whole := rapid.Float64Range(0, 1).Draw(t, "share") * all
		low, high := 0.0, 1e20
		for range 500 {
			middle, sum := (low+high)/2, 0.0
			for k := range wanted {
				sum += min(middle*wanted[k], most[k])
			}
			if sum < min(whole, useful) {
				low = middle
			} else {
				high = middle
			}
		}
		got, sum := dealt(whole, wanted, most), 0.0
		for k, x := range got {
			sum += x
			want := min(high*wanted[k], most[k])
			if want += max(0, whole-useful) / max(all-useful, 1e-300) * (most[k] - want); math.Abs(x-want) > 1e-9 || x > most[k]+1e-12 {
				t.Fatalf("%g of %v, most %v: %v, want %g for part %d", whole, wanted, most, got, want, k)
			}
		}
		if math.Abs(sum-whole) > 1e-9 {
			t.Fatalf("%g of %v, most %v: %v", whole, wanted, most, got)
		}
	})
}

// TestArraysOfLevels wants no array to lack more lines of a level than of the one before, and all together to lack what the level lacks.
func TestArraysOfLevels(t *testing.T) {
	const accesses = 1e6
	_, a := analysed(t, `double a[64][64], b[64], c[8];
void kernel(void) { for (int r = 0; r < 4; r++) for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) { b[j] += a[j][i]; c[0] += b[i]; } }
`)
	for _, name := range []string{"i7-5960x", "zen4", "cascade-lake"} {
		for _, threads := range []int{1, 3, 8} {
			levels, err := a.hits(shipped(t, name), threads, HitModelPlaced)
			if err != nil {
				t.Fatal(err)
			}
			found := arraysOf(levels, accesses)
			for i, l := range levels {
				sum := int64(0)
				for _, of := range found {
					if sum += of.Misses[i]; i > 0 && of.Misses[i] > of.Misses[i-1] {
						t.Errorf("%s, %d threads: %s lacks %v lines", name, threads, of.Array, of.Misses)
					}
				}
				if math.Abs(float64(sum)-l.Miss*accesses) > float64(len(found)) {
					t.Errorf("%s, %d threads, level %d: arrays lack %d lines together, all lack %.1f", name, threads, i, sum, l.Miss*accesses)
				}
			}
		}
	}
}
