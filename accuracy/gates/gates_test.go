package gates_test

import (
	"context"
	"testing"

	"foresee/accuracy/gates"
)

// mostMissed is how many of the fifteen regressions may be missed with a seed: of tiles that are too small the error of distances, which more samples do not
// make smaller, is about half of the change, so that it is caught with some seeds and missed with others. No seed may give a false alarm.
const mostMissed = 1

// TestRegressionsAreCaught holds the judge to an exact simulation of both versions: fifteen pairs are worse by 5 to 50 %, fifteen are not.
func TestRegressionsAreCaught(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint64{1, 2, 3} {
		judge(t, seed)
	}
}

func judge(t *testing.T, seed uint64) {
	t.Helper()
	all, err := gates.Compare(context.Background(), seed)
	if err != nil {
		t.Fatal(err)
	}
	worse, missed := 0, 0
	for _, o := range all {
		is := o.Simulated > gates.Above
		if is != o.Worse || is && o.Simulated > 0.52 {
			t.Errorf("%s: %s misses %+.1f %% in the simulation, which is not what the pair is for", o.Name, o.Level, 100*o.Simulated)
		}
		if is {
			worse++
		}
		if o.Worse && !o.Caught {
			missed++
			t.Logf("seed %d: %s is missed: %s %+.1f %%, simulated %+.1f %%", seed, o.Name, o.Level, 100*o.Predicted, 100*o.Simulated)
		}
		if o.Caught && !o.Worse || missed > mostMissed {
			t.Errorf("seed %d: %s: caught: %v; %s %+.1f %%, simulated %+.1f %%", seed, o.Name, o.Caught, o.Level, 100*o.Predicted, 100*o.Simulated)
		}
	}
	if len(all) != 30 || worse != 15 {
		t.Errorf("%d pairs, %d worse", len(all), worse)
	}
}
