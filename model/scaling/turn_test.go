package scaling

import (
	"math"
	"testing"

	"foresee/application/counters"
)

// TestSharingKeepsTrends puts a pure logarithm, as of a collective, beside series that fall: it must not be predicted to fall.
func TestSharingKeepsTrends(t *testing.T) {
	parameters := []string{"p"}
	make := func(name string, f func(p float64) float64) *Series {
		one := counters.Series{Callpath: name, Metric: "time"}
		for p := 4.0; p <= 64; p *= 2 {
			one.Points = append(one.Points, counters.Measurement{At: []float64{p}, Values: []float64{f(p)}})
		}
		s, err := NewSeries(parameters, one)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	logarithm := make("allreduce", func(p float64) float64 { return 0.01 * math.Log2(p) })
	for _, beside := range []int{1, 2, 8} {
		all := []*Series{logarithm}
		for i := range beside {
			all = append(all, make("solve", func(p float64) float64 { return float64(i+1) * 10 / p }))
		}
		found, err := FitAll(all, DefaultPrior(1))
		if err != nil {
			t.Fatal(err)
		}
		last, far := found[0].At([]float64{64}).Value, found[0].At([]float64{1024}).Value
		if far < last {
			t.Errorf("beside %d series that fall, a logarithm falls from %g to %g", beside, last, far)
		}
	}
}
