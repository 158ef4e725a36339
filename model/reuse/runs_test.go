package reuse

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// randomRun is a run of a few slots near one another, and the first bytes of the lines that it touches, in order.
func randomRun(r *rand.Rand) (from, stride []uint64, sizes []uint32, times int, lines []uint64) {
	strides := []uint64{0, 8, 16, 24, 64, 60, 72, 1680, 8192, ^uint64(7), ^uint64(15), ^uint64(63), ^uint64(1679), 1}
	times = 1 + r.IntN(1<<r.IntN(10))
	for range 1 + r.IntN(6) {
		a := 1<<30 + r.Uint64N(1<<18)
		if r.IntN(2) == 0 {
			a &^= 31
		}
		from = append(from, a)
		stride = append(stride, strides[r.IntN(len(strides))])
		sizes = append(sizes, []uint32{1, 4, 8, 16, 32, 64, 12, 200}[r.IntN(8)])
	}
	for j := range times {
		for i := range from {
			a := from[i] + uint64(j+1)*stride[i]
			for l := a >> 6; l <= (a+uint64(sizes[i])-1)>>6; l++ {
				lines = append(lines, l<<6)
			}
		}
	}
	return from, stride, sizes, times, lines
}

// Runs give what their accesses one by one give.
func TestShardsAddRun(t *testing.T) {
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 1))
		o := ShardsOptions{Rate: 0.02, Seed: seed, Plain: true}
		runs, accesses := NewShards(64, o), NewShards(64, o)
		o.Plain = false
		whole, wanted := NewShards(64, o), NewShards(64, o)
		for range 3000 {
			from, stride, sizes, times, lines := randomRun(r)
			runs.AddRun(from, stride, sizes, times)
			whole.AddRun(from, stride, sizes, times)
			accesses.Add(lines)
			wanted.Add(lines)
		}
		for _, s := range []*Shards{runs, accesses, whole, wanted} {
			s.follow()
		}
		if runs.seen != accesses.seen || whole.seen != wanted.seen {
			t.Fatalf("seed %d: %d and %d accesses, want %d and %d", seed, runs.seen, whole.seen, accesses.seen, wanted.seen)
		}
		if len(runs.ids.lines) < 20 || whole.threshold >= fewFollowed {
			t.Fatalf("seed %d: %d lines followed, rate %g: too easy", seed, len(runs.ids.lines), whole.rate())
		}
		for g := range runs.tails[0].groups {
			if !reflect.DeepEqual(runs.tails[0].groups[g], accesses.tails[0].groups[g]) {
				t.Fatalf("seed %d: group %d differs", seed, g)
			}
		}
		if !reflect.DeepEqual(whole.head.groups, wanted.head.groups) || whole.head.now != wanted.head.now {
			t.Fatalf("seed %d: the head differs", seed)
		}
	}
}

func BenchmarkShardsAddRun(b *testing.B) {
	s := NewShards(64, ShardsOptions{Rate: 0.01})
	from, stride, sizes := []uint64{1 << 20, 1 << 24, 1 << 28}, []uint64{16, 16, 16}, []uint32{16, 16, 16}
	accesses := 0
	for b.Loop() {
		from[0] ^= 1 << 40
		s.AddRun(from, stride, sizes, 1000)
		accesses += 3000
	}
	b.ReportMetric(float64(accesses)/b.Elapsed().Seconds()/1e6, "Mref/s")
}
