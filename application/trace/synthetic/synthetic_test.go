package synthetic_test

import (
	"math"
	"slices"
	"testing"

	"foresee/application/trace/synthetic"
)

// product writes the loops out.
func product(n uint64) (a []uint64) {
	bytes := 8 * n * n
	for i := range n {
		for j := range n {
			for k := range n {
				c := 2*bytes + 8*(i*n+j)
				a = append(a, 8*(i*n+k), bytes+8*(k*n+j), c, c)
			}
		}
	}
	return a
}

// stencil writes the loops out; sweeps go from one array to the other and back.
func stencil(n uint64, sweeps int) (a []uint64) {
	bytes := 8 * n * n
	from, to := uint64(0), bytes
	for range sweeps {
		for i := uint64(1); i < n-1; i++ {
			for j := uint64(1); j < n-1; j++ {
				at := 8 * (i*n + j)
				a = append(a, from+at, from+at-8, from+at+8, from+at-8*n, from+at+8*n, to+at)
			}
		}
		from, to = to, from
	}
	return a
}

// A stream is the same whatever the pieces in which it is taken.
func TestProgramsAgainstTheirLoops(t *testing.T) {
	for _, c := range []struct {
		name   string
		stream synthetic.Stream
		want   []uint64
	}{
		{"matrix product", &synthetic.MatrixProduct{N: 5}, append(product(5), product(5)...)},
		{"stencil", &synthetic.Stencil{N: 7}, stencil(7, 3)},
	} {
		var got []uint64
		for size := 1; len(got) < len(c.want); size++ {
			got = append(got, synthetic.Take(c.stream, min(size, len(c.want)-len(got)))...)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Shares of lines against the distribution, by five standard deviations of a binomial count.
func TestRandomLines(t *testing.T) {
	const lines, n = 16, 200_000
	weights := 0.0
	for k := range lines {
		weights += math.Pow(float64(k+1), -0.99)
	}
	for _, c := range []struct {
		name   string
		stream func() synthetic.Stream
		share  func(rank int) float64
	}{
		{"uniform", func() synthetic.Stream { return synthetic.NewUniform(lines, 3) }, func(int) float64 { return 1.0 / lines }},
		{"zipf", func() synthetic.Stream { return synthetic.NewZipf(lines, 0.99, 3) }, func(rank int) float64 {
			return math.Pow(float64(rank+1), -0.99) / weights
		}},
	} {
		addresses := synthetic.Take(c.stream(), n)
		if !slices.Equal(addresses, synthetic.Take(c.stream(), n)) {
			t.Errorf("%s: the same seed gives another stream", c.name)
		}
		counts := make([]int, lines)
		for _, a := range addresses {
			if a%64 != 0 || a/64 >= lines {
				t.Fatalf("%s: address %d", c.name, a)
			}
			counts[a/64]++
		}
		slices.SortFunc(counts, func(a, b int) int { return b - a }) // ranks are scattered over the lines
		for rank, got := range counts {
			p := c.share(rank)
			if d := math.Abs(float64(got) - n*p); d > 5*math.Sqrt(n*p*(1-p)) {
				t.Errorf("%s: rank %d came %d times, want about %.0f", c.name, rank, got, n*p)
			}
		}
	}
}
