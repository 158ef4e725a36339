package gates_test

import (
	"context"
	"testing"

	"foresee/accuracy/gates"
)

// TestRegressionsAreCaught holds the judge to an exact simulation of both versions: fifteen pairs are worse by 5 to 50 %, fifteen are not.
func TestRegressionsAreCaught(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint64{1, 3} {
		judge(t, seed)
	}
}

func judge(t *testing.T, seed uint64) {
	t.Helper()
	all, err := gates.Compare(context.Background(), seed)
	if err != nil {
		t.Fatal(err)
	}
	worse := 0
	for _, o := range all {
		is := o.Simulated > gates.Above
		if is != o.Worse || is && o.Simulated > 0.52 {
			t.Errorf("%s: %s misses %+.1f %% in the simulation, which is not what the pair is for", o.Name, o.Level, 100*o.Simulated)
		}
		if is {
			worse++
		}
		if o.Caught != o.Worse {
			t.Errorf("seed %d: %s: caught: %v; %s %+.1f %%, simulated %+.1f %%", seed, o.Name, o.Caught, o.Level, 100*o.Predicted, 100*o.Simulated)
		}
	}
	if len(all) != 30 || worse != 15 {
		t.Errorf("%d pairs, %d worse", len(all), worse)
	}
}
