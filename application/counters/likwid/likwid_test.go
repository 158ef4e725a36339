package likwid_test

import (
	"strings"
	"testing"

	"foresee/application/counters/check"
	"foresee/application/counters/open"
)

// The samples are made by hand; the sums of the hardware threads are those of the table of sums in the file.
func TestLIKWID(t *testing.T) {
	p := check.Profile(t, "tools/likwid.csv")
	for event, want := range map[string]float64{
		"INSTR_RETIRED_ANY": 3e6, "CPU_CLK_UNHALTED_CORE": 1.2e6, "FP_ARITH_INST_RETIRED_SCALAR_DOUBLE": 150,
		"CAS_COUNT_RD": 4096, "Runtime (RDTSC) [s]": 0.25,
	} {
		if got := check.Value(t, p, "", event); got != want {
			t.Errorf("%s: %g, not %g", event, got, want)
		}
	}
	if len(p.Events) != 5 || !check.HasWarning(p.Warnings, "2 hardware threads") || check.HasWarning(p.Warnings, "cut off") {
		t.Errorf("events %q, warnings %q", p.Events, p.Warnings)
	}
	p = check.Profile(t, "tools/likwid-regions.csv")
	for _, c := range []struct {
		region, event string
		want          float64
	}{
		{"solve", "INSTR_RETIRED_ANY", 1e6},
		{"exchange", "INSTR_RETIRED_ANY", 4e4},
		{"solve", "L1D_REPLACEMENT", 4000},
		{"solve", "RDTSC Runtime [s]", 0.15},
		{"exchange", "RDTSC Runtime [s]", 0.02},
	} {
		if got := check.Value(t, p, c.region, c.event); got != c.want {
			t.Errorf("%s of %s: %g, not %g", c.event, c.region, got, c.want)
		}
	}
	file, err := open.Read("x", strings.NewReader("TABLE,Group 1 Raw,X,2\nEvent,Counter,Core 0\nA,FIXC0,1\n"))
	if err != nil || !check.HasWarning(file.Profiles[0].Warnings, "1 rows") {
		t.Errorf("%v: a table that misses a row", err)
	}
}

func FuzzLIKWID(f *testing.F) { check.Fuzz(f, "tools/likwid*.csv") }
