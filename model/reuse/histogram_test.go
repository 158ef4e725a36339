package reuse_test

import (
	"math"
	"testing"

	"foresee/model/reuse"
)

func TestTheWordsOfTheField(t *testing.T) {
	stack, times := reuse.NewStack(1), reuse.NewIntervals(1)
	var distances, intervals []int64
	for _, l := range "abccba" {
		d, ok := stack.Touch(uint64(l))
		v, _ := times.Touch(uint64(l))
		if ok {
			distances, intervals = append(distances, d), append(intervals, v)
		}
	}
	for i, want := range []int64{0, 1, 2} {
		if distances[i] != want || intervals[i] != 2*want+1 {
			t.Errorf("reuse %d: distance %d, interval %d; want %d and %d", i, distances[i], intervals[i], want, 2*want+1)
		}
	}
}

func TestHistogramBins(t *testing.T) {
	for _, v := range []int64{0, 1, 255, 256, 257, 1000, 65535, 1 << 40, 1<<62 + 12345} {
		low, high := reuse.Fine.Bounds(reuse.Fine.BinOf(v))
		if v < low || v > high {
			t.Errorf("%d is not in its bin %d … %d", v, low, high)
		}
		if float64(high-low) > 0.008*float64(low) && low != high {
			t.Errorf("the bin of %d is too wide: %d … %d", v, low, high)
		}
	}
	last := int64(-1)
	for b := range 2000 {
		low, high := reuse.Fine.Bounds(b)
		if low != last+1 || high < low {
			t.Fatalf("bin %d: %d … %d after %d", b, low, high, last)
		}
		last = high
	}
}

func TestHistogramsMerge(t *testing.T) {
	a, b, both := reuse.NewHistogram(reuse.Fine), reuse.NewHistogram(reuse.Fine), reuse.NewHistogram(reuse.Fine)
	for i := range int64(1000) {
		v := i * i * 7
		both.Add(v, 1)
		if i%3 == 0 {
			a.Add(v, 1)
		} else {
			b.Add(v, 1)
		}
	}
	a.Cold, b.Cold, both.Cold = 2, 3, 5
	a.Merge(b)
	if a.Total() != both.Total() || a.Cold != 5 {
		t.Errorf("total %d cold %d", a.Total(), a.Cold)
	}
	var got, want [][3]int64
	a.Each(func(l, h, n int64) { got = append(got, [3]int64{l, h, n}) })
	both.Each(func(l, h, n int64) { want = append(want, [3]int64{l, h, n}) })
	if len(got) != len(want) {
		t.Fatalf("%d bins, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("bin %v, want %v", got[i], want[i])
		}
	}
}

// A cyclic walk over n lines misses always below n lines and only at first from n on; AET must agree.
func TestMissRatiosOfACycle(t *testing.T) {
	const n, rounds = 100, 50
	stack, times := reuse.NewStack(1), reuse.NewIntervals(1)
	distance, interval := reuse.NewHistogram(reuse.Fine), reuse.NewHistogram(reuse.Fine)
	for i := range n * rounds {
		d, ok := stack.Touch(uint64(i % n))
		v, _ := times.Touch(uint64(i % n))
		if !ok {
			distance.Cold++
			interval.Cold++
			continue
		}
		distance.Add(d, 1)
		interval.Add(v, 1)
	}
	sizes := []float64{1, 50, 99, 100, 200}
	want := []float64{1, 1, 1, 1.0 / rounds, 1.0 / rounds}
	for i, got := range distance.Distribution().MissRatios(sizes) {
		if math.Abs(got-want[i]) > 1e-12 {
			t.Errorf("%v lines: %v, want %v", sizes[i], got, want[i])
		}
	}
	hits := distance.Distribution().HitCurve()
	for i, size := range sizes {
		if got := hits(size); math.Abs(got-(1-want[i])) > 1e-12 {
			t.Errorf("%v lines: hits %v, want %v", size, got, 1-want[i])
		}
	}
	for i, got := range interval.Distribution().AET(sizes) {
		if math.Abs(got-want[i]) > 1e-12 {
			t.Errorf("AET, %v lines: %v, want %v", sizes[i], got, want[i])
		}
	}
}
