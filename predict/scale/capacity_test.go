package scale

import (
	"math"
	"strings"
	"testing"

	"foresee/application/counters"
	"foresee/model/cache"
)

// boxes are reuse profiles of a program that sweeps n³/p cells: most accesses are to what was used just before, an eighth of the cells'
// lines come back once a sweep, after all others.
func boxes(region string, cells float64, processes ...float64) *counters.Set {
	set := &counters.Set{}
	for _, p := range processes {
		lines := cells / p / 8
		r := counters.Reuse{Region: region, LineBytes: 64, Cold: lines, Bins: []counters.ReuseBin{{Low: 0, High: 2, Count: 700 * lines}, {Low: lines - 1, High: lines - 1, Count: 99 * lines}}}
		if err := set.AddReuse(map[string]float64{"p": p}, []counters.Reuse{r}); err != nil {
			panic(err)
		}
	}
	return set
}

var smallCache = []Cache{{Metric: "l1_misses", Name: "L1", Line: 64, Geometry: cache.Geometry{Lines: 512, Ways: 512}}}

// At eight processes nothing fits, at 64 all does: counts of misses at one to eight say nothing of it, reuse profiles do.
func TestMissesByCapacity(t *testing.T) {
	const cells = 64 * 64 * 64
	set := boxes("sweep", cells, 1, 2, 4, 8)
	r, err := Predict(t.Context(), set, Options{At: points(16, 64, 512), Caches: smallCache})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range []float64{16, 64, 512} {
		lines := cells / p / 8
		want := lines // first uses
		if lines > 512 {
			want += 99 * lines
		}
		got := r.Predictions[i]
		if got.Callpath != "sweep" || got.Metric != "l1_misses" || math.Abs(got.Value/want-1) > 0.05 || !strings.Contains(got.Form, "by 4 reuse profiles") {
			t.Errorf("p=%g: %+v, want %g", p, got, want)
		}
	}
}

// Measured misses say how many more there are than in the profile, which need not be of all that runs.
func TestMissesByCapacityAreCalibrated(t *testing.T) {
	const cells = 64 * 64 * 64
	set := boxes("sweep", cells, 1, 2, 4, 8)
	for _, p := range []float64{1, 2, 4, 8} {
		lines := cells / p / 8
		if err := set.Add(map[string]float64{"p": p}, "sweep.constprop.0", "l1_misses", 1.25*100*lines); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Predict(t.Context(), set, Options{At: points(64), Caches: smallCache})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.Predictions[0], 1.25*cells/64/8; got.Callpath != "sweep.constprop.0" || len(r.Predictions) != 1 || math.Abs(got.Value/want-1) > 0.05 || !strings.HasPrefix(got.Form, "1.2") {
		t.Errorf("%+v, want %g", got, want)
	}
}

// The one region that is none of the functions measured is the whole run.
func TestARegionMayBeTheRun(t *testing.T) {
	set := boxes("step", 1<<18, 1, 2, 4)
	for _, p := range []float64{1, 2, 4} {
		if err := set.Add(map[string]float64{"p": p}, counters.WholeRun, "l1_misses", 2*100*(1<<15)/p); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Predict(t.Context(), set, Options{At: points(8), Caches: smallCache})
	if err != nil {
		t.Fatal(err)
	}
	if p := r.Predictions[0]; len(r.Predictions) != 1 || p.Callpath != counters.WholeRun || !strings.HasPrefix(p.Form, "1.95 ×") {
		t.Errorf("%+v", r.Predictions)
	}
}

func TestReuseProfilesNeedACache(t *testing.T) {
	if _, err := Predict(t.Context(), boxes("k", 1<<18, 1, 2), Options{At: points(8)}); err == nil || !strings.Contains(err.Error(), "--machine") {
		t.Error(err)
	}
	other := []Cache{{Metric: "l1_misses", Name: "L1", Line: 128, Geometry: cache.Geometry{Lines: 512, Ways: 8}}}
	if _, err := Predict(t.Context(), boxes("k", 1<<18, 1, 2), Options{At: points(8), Caches: other}); err == nil || !strings.Contains(err.Error(), "--line 128") {
		t.Error(err)
	}
}
