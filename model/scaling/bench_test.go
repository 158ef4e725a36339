package scaling

import "testing"

func halving() *Series {
	s := &Series{Name: "solve time", Parameters: []string{"p"}}
	for _, p := range []float64{1, 2, 4, 8, 16} {
		s.At, s.Y, s.Spread = append(s.At, []float64{p}), append(s.Y, 100/p+1.5), append(s.Spread, 0)
	}
	return s
}

// One operation is one series fitted.
func BenchmarkFit(b *testing.B) {
	s, prior := halving(), DefaultPrior(1)
	for b.Loop() {
		if _, err := Fit(s, prior); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAt(b *testing.B) {
	m, err := Fit(halving(), DefaultPrior(1))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		m.At([]float64{256})
	}
}
