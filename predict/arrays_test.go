package predict

import (
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
