package reuse_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"foresee/application/trace/synthetic"
	"foresee/model/reuse"
)

// adversarial gives streams that are hard on one part of the engine or another.
func adversarial(n int) map[string][]uint64 {
	out := map[string][]uint64{
		"uniform":  synthetic.Take(synthetic.NewUniform(500, 1), n),
		"zipf":     synthetic.Take(synthetic.NewZipf(1024, 0.99, 2), n),
		"product":  synthetic.Take(&synthetic.MatrixProduct{N: 20}, n),
		"stencil":  synthetic.Take(&synthetic.Stencil{N: 40}, n),
		"one line": make([]uint64, n),
	}
	r := rand.New(rand.NewPCG(3, 3))
	add := func(name string, f func(i int) uint64) {
		a := make([]uint64, n)
		for i := range a {
			a[i] = f(i)
		}
		out[name] = a
	}
	add("never again", func(i int) uint64 { return uint64(i) * 64 })
	add("there and back", func(i int) uint64 {
		if i /= 64; i%1000 < 500 {
			return uint64(i%500) * 64
		}
		return uint64(499-i%500) * 64
	})
	add("the whole address space", func(int) uint64 { return r.Uint64N(64) << 58 })
	add("two phases", func(i int) uint64 { // the filter is of use in every other one
		if i/3000%2 == 0 {
			return uint64(i%4) * 64
		}
		return r.Uint64N(300) * 64
	})
	for k := range 6 {
		add(fmt.Sprintf("cycle of %d", k+1), func(i int) uint64 { return uint64(i%(k+1)) * 4096 })
	}
	return out
}

func TestStackAgainstList(t *testing.T) {
	for name, addresses := range adversarial(20_000) {
		var oracle naive
		one := reuse.NewStack(64)
		times := reuse.NewIntervals(64)
		want := reuse.NewHistogram(reuse.Full)
		wantTimes := reuse.NewHistogram(reuse.Fine)
		for i, a := range addresses {
			d, v := oracle.touch(a >> 6)
			if d < 0 {
				want.Cold++
				wantTimes.Cold++
			} else {
				want.Add(d, 1)
				wantTimes.Add(v, 1)
			}
			if got, ok := one.Touch(a); ok != (d >= 0) || ok && got != d {
				t.Fatalf("%s, access %d: distance %d %v, want %d", name, i, got, ok, d)
			}
			if got, ok := times.Touch(a); ok != (v >= 0) || ok && got != v {
				t.Fatalf("%s, access %d: interval %d %v, want %d", name, i, got, ok, v)
			}
		}
		got, gotTimes := reuse.NewHistogram(reuse.Full), reuse.NewHistogram(reuse.Fine)
		stack, many := reuse.NewStack(64), reuse.NewIntervals(64)
		r := rand.New(rand.NewPCG(5, 5))
		for i := 0; i < len(addresses); { // pieces of all sizes, and single accesses among them
			n := min(r.IntN(3000), len(addresses)-i)
			stack.Add(addresses[i:i+n], got)
			many.Add(addresses[i:i+n], gotTimes)
			if i += n; i < len(addresses) {
				touchInto(stack, addresses[i], got)
				many.Add(addresses[i:i+1], gotTimes)
				i++
			}
		}
		same(t, name+", distances", got, want)
		same(t, name+", intervals", gotTimes, wantTimes)
		if stack.Lines() != int64(len(oracle.stack)) || many.Lines() != stack.Lines() {
			t.Errorf("%s: %d and %d lines, want %d", name, stack.Lines(), many.Lines(), len(oracle.stack))
		}
	}
}

func touchInto(e *reuse.Stack, address uint64, h *reuse.Histogram) {
	if d, ok := e.Touch(address); ok {
		h.Add(d, 1)
	} else {
		h.Cold++
	}
}

// same compares two histograms bin by bin.
func same(t *testing.T, name string, got, want *reuse.Histogram) {
	t.Helper()
	if got.Cold != want.Cold || got.Total() != want.Total() {
		t.Errorf("%s: %d cold of %d, want %d of %d", name, got.Cold, got.Total(), want.Cold, want.Total())
	}
	counts := map[int64]int64{}
	got.Each(func(low, _, n int64) { counts[low] += n })
	want.Each(func(low, _, n int64) { counts[low] -= n })
	for low, n := range counts {
		if n != 0 {
			t.Fatalf("%s: the bin from %d is off by %d", name, low, n)
		}
	}
}

// The tree's upper levels come into play with many lines.
func TestStackAgainstTreeOnManyLines(t *testing.T) {
	const n = 3_000_000
	for _, lines := range []uint64{1 << 14, 1 << 17, 1 << 20} {
		addresses := synthetic.Take(synthetic.NewZipf(lines, 0.6, lines), n)
		for i := range addresses {
			if i%1000 < 3 { // some locality, so that near and far slots mix
				addresses[i] = addresses[max(i-5, 0)]
			}
		}
		oracle := newTree(1 << 22)
		got, want := reuse.NewHistogram(reuse.Full), reuse.NewHistogram(reuse.Full)
		for _, a := range addresses {
			if d := oracle.touch(a >> 6); d >= 0 {
				want.Add(d, 1)
			} else {
				want.Cold++
			}
		}
		reuse.NewStack(64).Add(addresses, got)
		same(t, fmt.Sprint(lines, " lines"), got, want)
	}
}

func TestCoarserHistogramsAreTheSameCounts(t *testing.T) {
	addresses := synthetic.Take(synthetic.NewZipf(1<<14, 0.9, 7), 200_000)
	full := reuse.NewHistogram(reuse.Full)
	reuse.NewStack(64).Add(addresses, full)
	for _, r := range []reuse.Resolution{reuse.Coarse, reuse.Fine} {
		got, want := reuse.NewHistogram(r), reuse.NewHistogram(r)
		reuse.NewStack(64).Add(addresses, got)
		want.Cold = full.Cold
		full.Each(func(low, _, n int64) { want.Add(low, n) })
		same(t, fmt.Sprint(r), got, want)
	}
}

func TestParallelEqualsStack(t *testing.T) {
	for name, addresses := range adversarial(600_000) {
		want := reuse.NewHistogram(reuse.Full)
		one := reuse.NewStack(64)
		one.Add(addresses, want)
		for workers := 1; workers <= 5; workers++ {
			got := reuse.NewHistogram(reuse.Full)
			many := reuse.NewParallel(64, workers)
			r := rand.New(rand.NewPCG(uint64(workers), 1))
			for rest := addresses; len(rest) > 0; {
				n := min(1+r.IntN(500_000), len(rest))
				many.Add(rest[:n], got)
				rest = rest[n:]
			}
			same(t, fmt.Sprintf("%s, %d workers", name, workers), got, want)
			if many.Lines() != one.Lines() {
				t.Errorf("%s, %d workers: %d lines, want %d", name, workers, many.Lines(), one.Lines())
			}
		}
	}
}

// Parts whose stretches count in several histograms, against one stack that is given the stretches one after another.
func TestParallelPartsEqualStack(t *testing.T) {
	for name, addresses := range adversarial(200_000) {
		r := rand.New(rand.NewPCG(24, 1))
		one, want := reuse.NewStack(64), []*reuse.Histogram{reuse.NewHistogram(reuse.Full), reuse.NewHistogram(reuse.Full), reuse.NewHistogram(reuse.Full)}
		many, got := reuse.NewParallel(64, 3), []*reuse.Histogram{reuse.NewHistogram(reuse.Full), reuse.NewHistogram(reuse.Full), reuse.NewHistogram(reuse.Full)}
		var mu sync.Mutex
		given, back := 0, 0
		for rest := addresses; len(rest) > 0; {
			var parts []reuse.Part
			for range 1 + r.IntN(many.Workers()) {
				n := min(r.IntN(40_000), len(rest))
				p := reuse.Part{Addresses: rest[:n]}
				for end := 0; end < n; {
					from, h := end, r.IntN(len(want))
					end = min(end+1+r.IntN(9000), n)
					one.Add(p.Addresses[from:end], want[h])
					p.Stretches = append(p.Stretches, reuse.Stretch{End: end, Histogram: got[h]})
				}
				parts, rest = append(parts, p), rest[n:]
				given++
			}
			many.AddParts(parts, func([]uint64) {
				mu.Lock()
				defer mu.Unlock()
				back++
			})
		}
		for i := range want {
			same(t, fmt.Sprint(name, ", histogram ", i), got[i], want[i])
		}
		if many.Lines() != one.Lines() || back != given {
			t.Errorf("%s: %d lines, want %d; %d parts given back of %d", name, many.Lines(), one.Lines(), back, given)
		}
	}
}
