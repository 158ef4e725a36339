// Package synthetic makes address streams that are known well: what benchmarks and tests of analyses run on.
//
// Addresses are in bytes. A generator fills a slice and carries on where it stopped, without end.
package synthetic

import (
	"math"
	"math/rand/v2"
	"sort"
)

// Stream makes the next addresses of an endless stream.
type Stream interface {
	Fill(addresses []uint64)
}

// Take gives the first n addresses of a stream.
func Take(s Stream, n int) []uint64 {
	a := make([]uint64, n)
	s.Fill(a)
	return a
}

const lineBytes = 64

// Uniform draws lines at random, each as likely as the others.
type Uniform struct {
	Lines  uint64
	Random *rand.PCG
}

// NewUniform draws from the given number of lines.
func NewUniform(lines, seed uint64) *Uniform { return &Uniform{lines, rand.NewPCG(seed, 0)} }

// Fill implements Stream.
func (u *Uniform) Fill(addresses []uint64) {
	r := rand.New(u.Random)
	for i := range addresses {
		addresses[i] = r.Uint64N(u.Lines) * lineBytes
	}
}

// Zipf draws the line of rank k with a probability proportional to k^−s; ranks are scattered over memory.
type Zipf struct {
	upTo   []float64 // probability of the ranks up to each
	random *rand.Rand
}

// NewZipf draws from a number of lines that is a power of two.
func NewZipf(lines uint64, s float64, seed uint64) *Zipf {
	z := &Zipf{upTo: make([]float64, lines), random: rand.New(rand.NewPCG(seed, 0))}
	sum := 0.0
	for k := range z.upTo {
		sum += math.Pow(float64(k+1), -s)
		z.upTo[k] = sum
	}
	for k := range z.upTo {
		z.upTo[k] /= sum
	}
	return z
}

// Fill implements Stream.
func (z *Zipf) Fill(addresses []uint64) {
	mask := uint64(len(z.upTo) - 1)
	for i := range addresses {
		rank := sort.SearchFloat64s(z.upTo, z.random.Float64())
		addresses[i] = uint64(rank) * 0x9E3779B97F4A7C15 & mask * lineBytes
	}
}

// MatrixProduct is C += A·B of n × n doubles in the order i, j, k as a compiler without registers for C makes it:
// the loads of A, B and C, and the store of C.
type MatrixProduct struct {
	N       uint64
	i, j, k uint64
	step    int
}

// Fill implements Stream.
func (m *MatrixProduct) Fill(addresses []uint64) {
	n := m.N
	bytes := 8 * n * n
	for x := range addresses {
		switch m.step {
		case 0:
			addresses[x] = 8 * (m.i*n + m.k)
		case 1:
			addresses[x] = bytes + 8*(m.k*n+m.j)
		default:
			addresses[x] = 2*bytes + 8*(m.i*n+m.j)
		}
		if m.step++; m.step == 4 {
			m.step = 0
			m.next()
		}
	}
}

func (m *MatrixProduct) next() {
	if m.k++; m.k < m.N {
		return
	}
	m.k = 0
	if m.j++; m.j < m.N {
		return
	}
	m.j = 0
	if m.i++; m.i == m.N {
		m.i = 0
	}
}

// Stencil sweeps a five-point stencil over n × n doubles, from one array to another and back.
type Stencil struct {
	N     uint64
	at    uint64 // point within the inner (n−2) × (n−2)
	sweep uint64
	step  int
}

// Fill implements Stream.
func (s *Stencil) Fill(addresses []uint64) {
	inner := s.N - 2
	bytes := 8 * s.N * s.N
	from, to := s.sweep%2*bytes, (s.sweep+1)%2*bytes
	i, j := s.at/inner+1, s.at%inner+1
	for x := range addresses {
		at := 8 * (i*s.N + j)
		switch s.step {
		case 0:
			addresses[x] = from + at
		case 1:
			addresses[x] = from + at - 8
		case 2:
			addresses[x] = from + at + 8
		case 3:
			addresses[x] = from + at - 8*s.N
		case 4:
			addresses[x] = from + at + 8*s.N
		case 5:
			addresses[x] = to + at
		}
		if s.step++; s.step < 6 {
			continue
		}
		s.step = 0
		if j++; j <= inner {
			continue
		}
		j = 1
		if i++; i > inner {
			i = 1
			s.sweep++
			from, to = to, from
		}
	}
	s.at = (i-1)*inner + j - 1
}
