package xmodel

import "math"

// Sharing is the hit rate of a cache that threads share, by how much of it there is for each of them. It is put together from what is known:
// the hit rates of some numbers of threads that share the whole cache, the data that they share included, and those of one thread with a
// cache of any size. More cache than a thread's share of the whole, or less, is taken as one thread has it.
type Sharing struct {
	Bytes    float64   // of the whole cache
	Threads  []float64 // numbers of threads, rising, from 1
	HitRates []float64 // of the requests that come to the cache with so many threads
	Alone    func(bytes float64) float64
}

// leastHitRate is the hit rate below which ratios of hit rates mean nothing. Chosen: one access in a thousand million.
const leastHitRate = 1e-9

// HitRate is that of one thread with so many bytes of the cache. Between two numbers of threads it goes straight over the logarithm of their
// number: with 8 KiB a thread of 32 KiB, hit rates of 0.9 with two threads and 0.5 with eight give 0.7, as four threads share it.
func (s *Sharing) HitRate(bytes float64) float64 {
	last := len(s.Threads) - 1
	k := s.Bytes / bytes
	switch {
	case k <= 1:
		return max(s.Alone(bytes), s.HitRates[0])
	case k >= s.Threads[last]:
		whole, share := s.HitRates[last], s.Alone(s.Bytes/s.Threads[last])
		if share < leastHitRate { // one thread keeps nothing in its share, which says nothing of what all keep together: more of them keep as much
			return whole
		}
		return min(max(s.Alone(bytes), whole*s.Alone(bytes)/share), whole)
	}
	for i := 1; ; i++ {
		if low, high := s.Threads[i-1], s.Threads[i]; k <= high {
			part := math.Log(k/low) / math.Log(high/low)
			return s.HitRates[i-1] + part*(s.HitRates[i]-s.HitRates[i-1])
		}
	}
}

// Hit rates are kept at sizes evenly apart in their logarithms: eight to a doubling, over 24 doublings below the largest. Chosen:
// a step is 9 %, and the smallest size one byte of 16 MiB.
const (
	perOctave = 8
	octaves   = 24
)

// HitTable is a hit rate at the sizes that it is kept at, the last being most, in bytes. It never falls with the size.
func HitTable(f func(bytes float64) float64, most float64) []float64 {
	table := make([]float64, perOctave*octaves+1)
	for i := range table {
		table[i] = f(most * math.Exp2(float64(i)/perOctave-octaves))
		if i > 0 {
			table[i] = max(table[i-1], table[i])
		}
	}
	return table
}

// Tabulated asks a function of size once at many sizes, and answers from these, straight between two.
func Tabulated(f func(bytes float64) float64, most float64) func(bytes float64) float64 {
	table := HitTable(f, most)
	return func(size float64) float64 {
		at := perOctave * math.Log2(size/(most/(1<<octaves)))
		switch i := int(math.Floor(at)); {
		case at <= 0:
			return table[0]
		case i >= len(table)-1:
			return table[len(table)-1]
		default:
			return table[i] + (at-float64(i))*(table[i+1]-table[i])
		}
	}
}

// FitHitRate fits alpha and beta (bytes) of equation 3 to the hit rates of a cache with 1 to count threads, by trying a grid of both. Misfit is
// the largest difference of hit rates that is left.
func FitHitRate(own *Cache, count int) (alpha, beta, misfit float64) {
	c := *own
	worst := func(alpha, beta float64) float64 {
		c.Hits, c.Alpha, c.Beta = nil, alpha, beta
		most := 0.0
		for k := 1.0; k <= float64(max(count, 2)); k *= 1.25 {
			most = max(most, math.Abs(c.HitRate(k)-own.HitRate(k)))
		}
		return most
	}
	misfit = math.Inf(1)
	for i := range 48 {
		for j := range 96 {
			a, b := 1+0.01*math.Exp2(float64(i)/4), own.Size*math.Exp2(4-float64(j)/3)
			if w := worst(a, b); w < misfit {
				misfit, alpha, beta = w, a, b
			}
		}
	}
	return alpha, beta, misfit
}
