package counters

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadReuse(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "tools", "foresee-profile.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	file, err := Read("profile.json", f)
	if err != nil {
		t.Fatal(err)
	}
	if file.Format != "foresee-profile" || len(file.Reuse) != 1 {
		t.Fatalf("%s: %d profiles", file.Format, len(file.Reuse))
	}
	r := &file.Reuse[0]
	// Twenty times: six faces of 32² cells packed, copied and unpacked (two accesses each), and 32³ cells swept (eight).
	want := 20.0 * (6*32*32*6 + 32*32*32*8)
	if r.Region != "step" || r.LineBytes != 64 || math.Abs(r.Accesses()/want-1) > 1e-3 {
		t.Errorf("%s, lines of %d bytes, %g accesses, want %g", r.Region, r.LineBytes, r.Accesses(), want)
	}
	lines := 2 * 34.0 * 34 * 34 / 8 // of both boxes
	if r.Cold < 0.8*lines || r.Cold > 1.4*lines {
		t.Errorf("%g lines are used, of about %g", r.Cold, lines)
	}
}

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
