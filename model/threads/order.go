package threads

import "math"

// keyed is an index with what it is sorted by.
type keyed struct {
	key   uint64
	index int32
}

// sorter sorts indices by numbers. It keeps its room from one use to the next.
type sorter struct{ list, other []keyed }

// A digit has so many bits: the counts of all eight of a key stay in the first level of a cache.
const (
	digitBits = 8
	digits    = 64 / digitBits
	oneDigit  = 1<<digitBits - 1
)

// sort gives the indices of values in ascending order, and by themselves where these are equal, in place of what into holds. No value may be
// negative: then they are ordered as their bits are, which are sorted digit by digit from the last one on; digits that all have in common are left out.
func (s *sorter) sort(values []float64, into []int32) []int32 {
	n := len(values)
	if cap(s.list) < n {
		s.list, s.other = make([]keyed, n), make([]keyed, n)
	}
	from, to := s.list[:n], s.other[:n]
	var counts [digits][oneDigit + 1]int32
	for i, v := range values {
		key := math.Float64bits(v)
		from[i] = keyed{key, int32(i)}
		for d := range counts {
			counts[d][key>>(d*digitBits)&oneDigit]++
		}
	}
	for d := range counts {
		c := &counts[d]
		if n == 0 || int(c[from[0].key>>(d*digitBits)&oneDigit]) == n {
			continue
		}
		sum := int32(0)
		for x, k := range c {
			c[x], sum = sum, sum+k
		}
		for _, k := range from {
			x := k.key >> (d * digitBits) & oneDigit
			to[c[x]] = k
			c[x]++
		}
		from, to = to, from
	}
	into = into[:0]
	for _, k := range from {
		into = append(into, k.index)
	}
	return into
}

// sized is a slice of n numbers in the room of another one where that suffices; they may be anything.
func sized[E any](old []E, n int) []E {
	if cap(old) < n {
		return make([]E, n)
	}
	return old[:n]
}
