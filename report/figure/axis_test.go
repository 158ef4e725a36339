package figure

import (
	"slices"
	"strconv"
	"testing"
)

// The last number of threads has a label, whatever powers of two lie beside it.
func TestLastThreadsAreLabelled(t *testing.T) {
	for _, threads := range [][]int{{1, 2, 4, 8, 16, 20}, {1, 2, 4, 8, 16, 32, 64, 68}, {1, 64}, {3, 5, 7}, {7}} {
		last := threads[len(threads)-1]
		a := threadsAxis(threads)
		if !slices.Contains(a.ticks, tick{float64(last), strconv.Itoa(last)}) {
			t.Errorf("%v: ticks %v", threads, a.ticks)
		}
		for i, x := range a.ticks {
			for _, y := range a.ticks[i+1:] {
				if d := a.norm(x.at) - a.norm(y.at); d < 0.07 && d > -0.07 {
					t.Errorf("%v: labels %s and %s crowd", threads, x.label, y.label)
				}
			}
		}
	}
}

// A logarithmic axis has a label near its beginning, in whatever decade that is.
func TestDecadesAreLabelledFromTheirBeginning(t *testing.T) {
	for _, r := range [][2]float64{{0.012, 90}, {0.0378, 0.15}, {0.3, 2000}, {2e-9, 9e-3}, {1.01, 9.9}, {0.6, 1e6}} {
		a := decadeAxis("time", r[0], r[1], shortSeconds)
		if len(a.ticks) < 2 || a.norm(a.ticks[0].at) > 0.2 || a.ticks[0].at < 0.99*a.min {
			t.Errorf("%v: ticks %v", r, a.ticks)
		}
	}
}
