package hierarchy_test

import (
	"testing"

	"foresee/machine"
	"foresee/predict/hierarchy"
)

// TestGeometry has caches of whole sets: an exclusive one holds what the level above holds besides, of all its cores that run a thread.
func TestGeometry(t *testing.T) {
	m, err := machine.Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Levels {
		l := &m.Levels[i]
		for _, threads := range []int{1, 8} {
			g, _, err := hierarchy.Geometry(m, l, threads)
			if err != nil {
				t.Fatal(err)
			}
			size, _ := l.Capacity()
			most := int64(size) / int64(m.Line(l))
			if l.Inclusion.Or("") == "exclusive" {
				most += hierarchy.InnerLines(m, l, threads)
			}
			if sets := g.Lines / g.Ways; g.Lines%g.Ways != 0 || g.Lines > most || g.Lines <= most-sets { // all but a part of a way
				t.Errorf("%s with %d threads: %d lines of %d ways, of %d", l.Name, threads, g.Lines, g.Ways, most)
			}
		}
	}
	l2, l3 := &m.Levels[1], &m.Levels[2]
	size, _ := l2.Size.Get()
	if got, want := hierarchy.InnerLines(m, l3, 8), 8*int64(size)/int64(m.Line(l2)); got != want {
		t.Errorf("%d lines above L3 with 8 threads, want %d", got, want)
	}
}
