package cli

import (
	"slices"
	"testing"

	"foresee/sweep"
)

func TestParseThreads(t *testing.T) {
	for list, want := range map[string][]int{
		"1": {1}, "4,1,2,2": {1, 2, 4}, "1-3,2-4": {1, 2, 3, 4}, " 1 , 2 - 3 ": {1, 2, 3}, "4096": {4096},
	} {
		if got, err := ParseThreads(list); err != nil || !slices.Equal(got, want) {
			t.Errorf("parseThreads(%q) = %v, %v; want %v", list, got, err, want)
		}
	}
}

// FuzzLists reads the lists and shares that flags of several verbs take.
func FuzzLists(f *testing.F) {
	for _, text := range []string{"1,2,8-10", "1-4096", "32KiB,1MiB", "50%", "N=100,200", "N=100..4000", "N=100..800:100", "grid.n=128..4096:x2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if all, err := ParseThreads(text); err == nil && (len(all) == 0 || len(all) > maxThreadCounts || all[0] < 1 || all[len(all)-1] > MaxThreads) {
			t.Errorf("%d numbers of threads", len(all))
		}
		if all, err := ParseSizes(text); err == nil {
			for _, n := range all {
				if n < 1 {
					t.Errorf("a size of %d", n)
				}
			}
		}
		if v, err := ParseShare(text); err == nil && !(v >= 0 && v <= 1) {
			t.Errorf("a share of %g", v)
		}
		if z, err := SizesAsked([]string{text}); err == nil && z != nil && (len(z.Values) == 0 || len(z.Values) > mostSizes) {
			t.Errorf("%d sizes", len(z.Values))
		}
		if axis, several, err := DefineAxis(text); err == nil && several && (len(axis.Values) == 0 || len(axis.Values) > sweep.MostPoints) {
			t.Errorf("%d values", len(axis.Values))
		}
	})
}
