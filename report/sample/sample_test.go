package sample_test

import (
	"math"
	"testing"

	"foresee/report/sample"
)

// TestPredictions holds what is invented to what is true of every prediction, so that tests of reports are of results that can be.
func TestPredictions(t *testing.T) {
	r := sample.Predictions([]string{"a", "b"}, []string{"m"}, 1, 2, 4, 16)
	if len(r.Predictions) != 8 {
		t.Fatalf("%d predictions, want two regions at four numbers of threads", len(r.Predictions))
	}
	for i, p := range r.Predictions {
		if !(0 < *p.TimeLowS && *p.TimeLowS <= *p.TimeS && *p.TimeS <= *p.TimeHighS) {
			t.Errorf("%d: %v is not within %v and %v", i, *p.TimeS, *p.TimeLowS, *p.TimeHighS)
		}
		alone := r.Predictions[i/4*4]
		if got := *p.Speedup * *p.TimeS; math.Abs(got/(*alone.TimeS)-1) > 1e-6 {
			t.Errorf("%d: speed-up times time is %v, one thread takes %v", i, got, *alone.TimeS)
		}
		before := 0.0
		for _, h := range p.HitRates {
			if h.HitRate < before || h.HitRate > 1 {
				t.Errorf("%d: %s serves %v of the accesses up to it, the level before %v", i, h.Level, h.HitRate, before)
			}
			before = h.HitRate
		}
		if (p.SharedCache == nil) != (p.Threads == 1) {
			t.Errorf("%d: a shared cache with %d threads: %v", i, p.Threads, p.SharedCache)
		}
	}
	for _, p := range sample.Timeless().Predictions {
		if p.TimeS != nil || p.Terms != nil || p.BoundBy != "" || len(p.HitRates) == 0 {
			t.Error("a prediction without times has some, or no hit rates")
		}
	}
}

// TestCurves are miss ratios that larger caches do not make worse.
func TestCurves(t *testing.T) {
	for _, c := range sample.Curves(0.3, []string{"a", "b"}, 1, 8).Curves {
		before := 1.0
		for _, p := range c.Points {
			if p.MissRatio > before || p.MissRatio <= 0 {
				t.Errorf("%s, %d threads: %v of %d bytes after %v", c.Region, c.Threads, p.MissRatio, p.CacheBytes, before)
			}
			before = p.MissRatio
		}
	}
}

// TestProfiles adds up to the accesses.
func TestProfiles(t *testing.T) {
	for _, p := range sample.Profiles().Profiles {
		sum := float64(p.Cold)
		for _, b := range p.Histogram {
			sum += float64(b.Count)
		}
		if sum != float64(p.Accesses) {
			t.Errorf("%v accesses in the histogram, %v in all", sum, p.Accesses)
		}
	}
}
