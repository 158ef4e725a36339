package scale

import (
	"errors"
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
	if _, err := Predict(t.Context(), boxes("k", 1<<18, 1, 2), Options{At: points(8)}); err == nil || !strings.Contains(err.Error(), "name the machine") {
		t.Error(err)
	}
	var line *LineError
	other := []Cache{{Metric: "l1_misses", Name: "L1", Line: 128, Geometry: cache.Geometry{Lines: 512, Ways: 8}}}
	if _, err := Predict(t.Context(), boxes("k", 1<<18, 1, 2), Options{At: points(8), Caches: other}); !errors.As(err, &line) || *line != (LineError{Region: "k", Level: "L1", Profile: 64, Machine: 128}) {
		t.Error(err)
	}
}

// A shared cache is dealt among the processes that run, and an exclusive one adds to the one before.
func TestCachesOfProcesses(t *testing.T) {
	c := Cache{Geometry: cache.Geometry{Lines: 1 << 16, Ways: 16}, SharedBy: 8}
	for p, want := range map[float64]int64{1: 1 << 16, 2: 1 << 15, 8: 1 << 13, 64: 1 << 13} {
		if g := c.at(p); g.Lines != want || g.Validate() != nil {
			t.Errorf("p=%g: %+v, want %d lines", p, g, want)
		}
	}
	c.Inner = 1 << 13
	if g := c.at(1); g.Lines != 1<<16+1<<13 || g.Ways != 18 || g.Validate() != nil {
		t.Errorf("%+v", g)
	}
	if got := processesAt([]string{"n"}, []float64{512}); got != 1 {
		t.Errorf("a size is no number of processes: %g", got)
	}
}

// Misses that stay where those of the profiles fall are not those of the profiles.
func TestProfilesAtOddsWithMeasurements(t *testing.T) {
	set := boxes("sweep", 1<<18, 1, 2, 4, 8)
	for _, p := range []float64{1, 2, 4, 8} {
		if err := set.Add(map[string]float64{"p": p}, "sweep", "l1_misses", 3e6); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Predict(t.Context(), set, Options{At: points(64), Caches: smallCache})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Predictions[0].Value; math.Abs(got/3e6-1) > 0.05 || !strings.Contains(strings.Join(r.Warnings, "\n"), "at odds with its reuse profiles") {
		t.Errorf("%g; %v", got, r.Warnings)
	}
}

// An outer cache misses no more than an inner one, even if the machine's share of it is smaller.
func TestOuterMissesAreAmongInnerOnes(t *testing.T) {
	caches := []Cache{smallCache[0], {Metric: "llc_misses", Name: "L3", Line: 64, Geometry: cache.Geometry{Lines: 256, Ways: 256}}}
	r, err := Predict(t.Context(), boxes("sweep", 1<<18, 1, 2, 4, 8), Options{At: points(96), Caches: caches})
	if err != nil {
		t.Fatal(err)
	}
	misses := map[string]float64{}
	for _, p := range r.Predictions {
		misses[p.Metric] = p.Value
	}
	if !(misses["l1_misses"] > 0) || misses["llc_misses"] > misses["l1_misses"] {
		t.Errorf("%v", misses)
	}
}
