package counters

import (
	"bytes"
	"math"
	"testing"
)

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"a", "a", true},
		{"a", "ab", false},
		{"a*", "ab", true},
		{"*b", "ab", true},
		{"a*a", "a", false},
		{"a*b*c", "axxbyyc", true},
		{"a*b*c", "axxcyyb", false},
		{"*", "", true},
	} {
		if got := matches(c.pattern, c.name); got != c.want {
			t.Errorf("%s against %s: %v", c.pattern, c.name, got)
		}
	}
}

// What is read of a user's table maps any profile.
func FuzzQuantities(f *testing.F) {
	f.Add(builtInQuantities)
	f.Add([]byte("- {quantity: flops, unit: operations, events: [2 * my_*_fma + my adds - x-y]}\n"))
	p := &Profile{Tool: "perf stat", Events: []string{"my_sp_fma", "my adds", "x-y"}, Functions: []Function{{Values: []float64{1, 2, math.NaN()}}}}
	f.Fuzz(func(t *testing.T, text []byte) {
		quantities, err := LoadQuantities(bytes.NewReader(text))
		if err != nil {
			return
		}
		out, unmapped := quantities.Map(p)
		if len(out.Functions) != 1 || len(out.Functions[0].Values) != len(out.Events) || len(unmapped) > len(p.Events) {
			t.Errorf("%d functions, events %q, unmapped %q", len(out.Functions), out.Events, unmapped)
		}
	})
}
