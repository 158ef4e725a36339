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

// One operation is one of a hundred series of an application, which share what they find.
func BenchmarkFitAll(b *testing.B) {
	var all []*Series
	for i := range 100 {
		s := halving()
		for j := range s.Y {
			s.Y[j] *= 1 + 0.01*float64((i*7+j*3)%5)
		}
		all = append(all, s)
	}
	prior := DefaultPrior(1)
	n := 0
	for b.Loop() {
		if _, err := FitAll(all, prior); err != nil {
			b.Fatal(err)
		}
		n += len(all)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/series")
}
