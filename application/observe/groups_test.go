package observe

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest/expr"
)

func TestRepresentatives(t *testing.T) {
	n, noise := csource.Place{Text: "n"}, csource.Place{Text: "time"}
	e := Entered{Function: "f", Others: 30}
	for i := range int64(240) { // 120 sizes, each twice, at different times
		e.Groups = append(e.Groups, Group{Count: 1, Values: map[csource.Place]int64{n: 1 + i/2, noise: 1000 + i}})
	}
	asked := func(Group) []csource.Place { return []csource.Place{n} }
	got, different := e.Representatives(12, asked, nil)
	total, last := int64(0), int64(0)
	for i, g := range got {
		total += g.Count
		if v := g.Values[n]; v < 1 || v > 120 || i > 0 && got[i-1].Count < g.Count {
			t.Errorf("%+v", g)
		}
		last = max(last, g.Values[n])
	}
	if len(got) != 12 || different != 120 || total != 270 || last < 111 {
		t.Errorf("%d of %d, %d entries, up to %d", len(got), different, total, last)
	}
	few, different := Entered{Groups: e.Groups[:4]}.Representatives(12, asked, nil)
	if len(few) != 2 || different != 2 || few[0].Count != 2 {
		t.Errorf("%+v", few)
	}
}

// TestRepresentativesOfArrays: arrays are told apart by how far their values are from one another, not by what stands for them.
func TestRepresentativesOfArrays(t *testing.T) {
	at := csource.Place{Text: "foresee_in_order(%k)"}
	tables, scattered := map[int64]*expr.Table{}, map[int64]bool{}
	e := Entered{Function: "f"}
	draw := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		var values []int64
		for k := range int64(500) {
			if i%5 == 0 {
				k = draw.Int64N(100_000)
			}
			values = append(values, k+int64(i))
		}
		content := draw.Int64()
		tables[content], scattered[content] = expr.NewTable("", values), i%5 == 0
		e.Groups = append(e.Groups, Group{Count: 1, Values: map[csource.Place]int64{at: content}})
	}
	got, different := e.Representatives(12, func(Group) []csource.Place { return []csource.Place{at} }, tables)
	entries := int64(0)
	for _, g := range got {
		if scattered[g.Values[at]] {
			entries += g.Count
		}
	}
	if different != 60 || len(got) != 12 || entries < 10 || entries > 15 {
		t.Errorf("%d of %d groups, %d entries with scattered values, want some 12", len(got), different, entries)
	}
}

// TestSteady: what is not the same in all entries is left out where it is asked for.
func TestSteady(t *testing.T) {
	n, phase, other, late := csource.Place{Text: "n"}, csource.Place{Text: "phase a"}, csource.Place{Text: "phase b"}, csource.Place{Text: "phase c"}
	e := Entered{Groups: []Group{
		{Values: map[csource.Place]int64{n: 1, phase: 16, other: 16}}, {Values: map[csource.Place]int64{n: 2, phase: 16, other: 32, late: 0}},
	}}
	e.Steady(func(p csource.Place) bool { return strings.HasPrefix(p.Text, "phase") })
	for i, g := range e.Groups {
		if want := map[csource.Place]int64{n: int64(i + 1), phase: 16}; !maps.Equal(g.Values, want) {
			t.Errorf("%v, want %v", g.Values, want)
		}
	}
}
