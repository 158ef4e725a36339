package recording

import (
	"testing"

	"foresee/application/record/instrument"
)

// A loop begins as often as what is before it runs, in modules after others too.
func TestEntries(t *testing.T) {
	m := &instrument.Module{Name: "x.o", Segments: []instrument.Segment{
		{Block: 0, Begins: true}, {Block: 1, Begins: true}, {Block: 2, Begins: true, Before: []int{0, 1}}, {Block: 3, Begins: true},
	}}
	c := &Code{}
	for range 2 {
		if err := c.addModule(uint64(len(c.Segments)), m.Text()); err != nil {
			t.Fatal(err)
		}
	}
	counts := []int64{10, 5, 1000, 7, 3, 0, 60, 7}
	for segment, want := range map[int]int64{2: 15, 6: 3, 3: 0} {
		if got := c.Entries(segment, counts); got != want {
			t.Errorf("segment %d: %d entries, want %d", segment, got, want)
		}
	}
	if got := c.Entries(2, []int64{10, 5, 12, 0}); got != 12 {
		t.Errorf("%d entries of a loop with 12 iterations", got)
	}
}
