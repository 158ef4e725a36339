package counters

import (
	"strings"
	"testing"
)

func TestAddReuse(t *testing.T) {
	set := &Set{}
	if err := set.Add(map[string]float64{"p": 1, "n": 64}, "run", "time", 1); err != nil {
		t.Fatal(err)
	}
	one := []Reuse{{Region: "k", LineBytes: 64, Cold: 1}}
	if err := set.AddReuse(map[string]float64{"n": 64, "p": 2}, one); err != nil {
		t.Fatal(err)
	}
	if at := set.Reuse[0].At; at[0] != 2 || at[1] != 64 {
		t.Errorf("at %v, of %v", at, set.Parameters)
	}
	if err := set.AddReuse(map[string]float64{"n": 64, "p": 2}, one); err == nil || !strings.Contains(err.Error(), "two reuse profiles of k at p=2,n=64") {
		t.Error(err)
	}
	if err := set.AddReuse(map[string]float64{"p": 4}, one); err == nil || !strings.Contains(err.Error(), "parameter n has no value") {
		t.Error(err)
	}
	set.Parameters = []string{"n", "p"}
	for i := range set.Series[0].Points {
		set.Series[0].Points[i].At = []float64{64, 1}
	}
	set.Reuse[0].At = []float64{64, 2}
	if err := set.Add(map[string]float64{"p": 2, "n": 64}, "run", "time", 0.5); err != nil {
		t.Fatal(err)
	}
	set.ProcessesFirst()
	if at := set.Reuse[0].At; at[0] != 2 || at[1] != 64 {
		t.Errorf("at %v, of %v", at, set.Parameters)
	}
}
