package cache

import "testing"

// No two pages share a frame, and neighbours are apart.
func TestColouringPermutesPages(t *testing.T) {
	f := NewColouring(4096, 64)
	seen := map[uint64]bool{}
	together := 0
	for page := range uint64(1 << 16) {
		line := f.Line(page<<6 | 5)
		if line&63 != 5 || seen[line] || line>>62 != 0 {
			t.Fatalf("page %d: line %d", page, line)
		}
		seen[line] = true
		if seen[line-64] {
			together++
		}
	}
	if together > 10 {
		t.Errorf("%d pages follow the one before", together)
	}
	if big := uint64(1) << 50; f.Line(big) != big {
		t.Error("a page past all that exist moved")
	}
}
