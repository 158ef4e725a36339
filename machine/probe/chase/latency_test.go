package chase

import (
	"math"
	"testing"

	"foresee/machine/bandwidth"
)

// caches are those of some machine with so many levels, as described.
func caches(levels int) *bandwidth.Hierarchy {
	all := []bandwidth.Level{
		{Name: "L1", Bytes: 32 << 10, Ways: 8, Virtual: true},
		{Name: "L2", Bytes: 512 << 10, Ways: 8},
		{Name: "L3", Bytes: 8 << 20, Ways: 16},
		{Name: "L4", Bytes: 512 << 20, Ways: 16},
	}
	return &bandwidth.Hierarchy{Levels: all[:levels], Line: 64, Page: 4096}
}

// capacities are where they really end.
var capacities = []bandwidth.Capacity{{Bytes: 33 << 10, Width: 0.05}, {Bytes: 540 << 10, Width: 0.35}, {Bytes: 7 << 20, Width: 0.25}, {Bytes: 480 << 20, Width: 0.25}}

// A fit finds the latencies behind a chase that comes from them.
func TestFit(t *testing.T) {
	for levels := 1; levels <= 4; levels++ {
		h := caches(levels)
		want := &Latency{Ns: []float64{1.4, 4.5, 22, 70, 200}[:levels+1], Capacities: capacities[:levels]}
		var points [][2]float64
		most := 8 * h.Levels[levels-1].Bytes
		for i := range 40 {
			b := 4096 * math.Pow(most/4096, float64(i)/39)
			points = append(points, [2]float64{b, want.At(b)})
		}
		got, err := Fit(h, points, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want.Ns {
			if math.Abs(got.Ns[i]/want.Ns[i]-1) > 0.02 {
				t.Errorf("%d levels: level %d has %.4g ns, want %.4g", levels, i+1, got.Ns[i], want.Ns[i])
			}
		}
	}
}
