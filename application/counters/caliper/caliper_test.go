package caliper_test

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"foresee/application/counters"
	"foresee/application/counters/check"
	"foresee/application/counters/open"
)

// Oracle: another program's extraction of the same files.
func TestCaliper(t *testing.T) {
	f, err := os.Open("../testdata/caliper/lulesh.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := 0
	profiles := map[int]*counters.Profile{27: check.Profile(t, "caliper/27_cores.cali"), 64: check.Profile(t, "caliper/64_cores.cali")}
	for scanner := bufio.NewScanner(f); scanner.Scan(); rows++ {
		var ranks int
		var average, largest float64
		var path string
		if _, err := fmt.Sscan(scanner.Text(), &ranks, &average, &largest, &path); err != nil {
			t.Fatal(err)
		}
		p := profiles[ranks]
		if got := check.Value(t, p, path, "Avg time/rank"); got != average {
			t.Errorf("%d ranks, average of %s: %g, not %g", ranks, path, got, average)
		}
		if got := check.Value(t, p, path, "Max time/rank"); got != largest {
			t.Errorf("%d ranks, largest of %s: %g, not %g", ranks, path, got, largest)
		}
		if low := check.Value(t, p, path, "Min time/rank"); low > average {
			t.Errorf("%d ranks, smallest of %s: %g, above the average %g", ranks, path, low, average)
		}
	}
	if rows != 90 {
		t.Errorf("%d rows, not 90", rows)
	}
	for ranks, p := range profiles {
		if len(p.Functions) != 45 || p.Params["p"] != float64(ranks) || p.Rank != -1 || !check.HasWarning(p.Warnings, "hold the regions inside") {
			t.Errorf("%d ranks: %d functions, %v, rank %d, %q", ranks, len(p.Functions), p.Params, p.Rank, p.Warnings)
		}
	}
}

// A file that is cut off says so, wherever that is.
func TestCaliperCutOff(t *testing.T) {
	text, err := os.ReadFile("../testdata/caliper/27_cores.cali")
	if err != nil {
		t.Fatal(err)
	}
	for end := 1000; end < len(text)-1; end += 31 {
		file, err := open.Read("x", strings.NewReader(string(text[:end])))
		if err == nil && !check.HasWarning(file.Profiles[0].Warnings, "cut off") {
			t.Errorf("cut off after %d bytes: no error and no warning", end)
		}
	}
}

// Names with escapes, ranks in the records, a nested attribute that is not the first, no globals.
func TestCaliperByHand(t *testing.T) {
	text := `__rec=node,id=20,attr=10,data=268,parent=3
__rec=node,id=21,attr=8,data=region,parent=20
__rec=node,id=22,attr=10,data=65,parent=5
__rec=node,id=23,attr=8,data=sum#time.duration,parent=22
__rec=node,id=24,attr=8,data=mpi.rank,parent=1
__rec=node,id=25,attr=21,data=a\,b\=c
__rec=node,id=26,attr=21,data=inner\\,parent=25
__rec=ctx,ref=26,attr=24=23,data=0=1.5
__rec=ctx,ref=26,attr=24=23,data=1=2.5
__rec=ctx,ref=25,attr=24=23,data=1=0.5
`
	file, err := open.Read("x", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Profiles) != 2 {
		t.Fatalf("%d profiles, not one for each rank", len(file.Profiles))
	}
	for rank, want := range []float64{1.5, 2.5} {
		p := &file.Profiles[rank]
		if got := check.Value(t, p, `a,b=c->inner\`, "sum#time.duration"); got != want || p.Rank != rank {
			t.Errorf("rank %d: %g, not %g", p.Rank, got, want)
		}
		if !check.HasWarning(p.Warnings, "cut off") || len(p.Inclusive) != 0 {
			t.Errorf("rank %d: %q", rank, p.Warnings)
		}
	}
}

// Times of Caliper hold their callees, and so do the quantities.
func TestMapKeepsInclusive(t *testing.T) {
	quantities, err := counters.LoadQuantities(nil)
	if err != nil {
		t.Fatal(err)
	}
	out, _ := quantities.Map(check.Profile(t, "caliper/27_cores.cali"))
	if !slices.Contains(out.Inclusive, "time") || !slices.Contains(out.Inclusive, "time_max") || out.Params["p"] != 27 {
		t.Errorf("inclusive %q, %v", out.Inclusive, out.Params)
	}
}

func FuzzCaliper(f *testing.F) { check.Fuzz(f, "caliper/*.cali") }
