package value

import (
	"maps"
	"testing"

	"modernc.org/cc/v4"
	"pgregory.net/rapid"
)

// TestVariables changes copies of copies, and compares each with a map of its own.
func TestVariables(t *testing.T) {
	all := make([]*cc.Declarator, 700)
	for i := range all {
		all[i] = new(cc.Declarator)
	}
	rapid.Check(t, func(t *rapid.T) {
		got := []Variables[int]{NewVariables[int]()}
		want := []map[*cc.Declarator]int{{}}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			i := rapid.IntRange(0, len(got)-1).Draw(t, "copy")
			from := rapid.IntRange(0, len(all)-1).Draw(t, "from")
			some := all[from:min(len(all), from+rapid.SampledFrom([]int{1, 2, 20, 300}).Draw(t, "number"))]
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				got, want = append(got, got[i]), append(want, maps.Clone(want[i]))
			case 1:
				for _, d := range some {
					x := rapid.IntRange(0, 9).Draw(t, "value")
					got[i].Set(d, x)
					want[i][d] = x
				}
			case 2:
				for _, d := range some {
					got[i].Delete(d)
					delete(want[i], d)
				}
			}
		}
		for i := range got {
			if found := maps.Collect(got[i].All()); !maps.Equal(found, want[i]) {
				t.Fatalf("copy %d: %v, want %v", i, found, want[i])
			}
			for _, d := range all {
				x, ok := got[i].Get(d)
				if y, known := want[i][d]; x != y || ok != known || got[i].Of(d) != y {
					t.Fatalf("copy %d: %v %v, want %v %v", i, x, ok, y, known)
				}
			}
		}
	})
}
