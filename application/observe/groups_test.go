package observe

import (
	"testing"

	"foresee/application/csource"
)

func TestRepresentatives(t *testing.T) {
	n, noise := csource.Place{Text: "n"}, csource.Place{Text: "time"}
	e := Entered{Function: "f", Others: 30}
	for i := range int64(240) { // 120 sizes, each twice, at different times
		e.Groups = append(e.Groups, Group{Count: 1, Values: map[csource.Place]int64{n: 1 + i/2, noise: 1000 + i}})
	}
	asked := func(Group) []csource.Place { return []csource.Place{n} }
	got, different := e.Representatives(12, asked)
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
	few, different := Entered{Groups: e.Groups[:4]}.Representatives(12, asked)
	if len(few) != 2 || different != 2 || few[0].Count != 2 {
		t.Errorf("%+v", few)
	}
}
