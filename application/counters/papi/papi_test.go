package papi_test

import (
	"testing"

	"foresee/application/counters/check"
)

// The sample is made by hand: exclusive values of both threads by hand too.
func TestPAPI(t *testing.T) {
	p := check.Profile(t, "tools/papi.json")
	for _, c := range []struct {
		region, event string
		want          float64
	}{
		{"solve", "PAPI_TOT_INS", 12000 - 2000 + 11000},
		{"solve->exchange", "PAPI_TOT_INS", 2000},
		{"solve", "PAPI_TOT_CYC", 8000 - 900 + 8100},
		{"solve", "real_time_nsec", 4200},
		{"solve->exchange", "real_time_nsec", 500},
		{"solve", "coretemp:::hwmon0:temp1_input", 55},
		{"solve->exchange", "coretemp:::hwmon0:temp1_input", 56},
	} {
		if got := check.Value(t, p, c.region, c.event); got != c.want {
			t.Errorf("%s of %s: %g, not %g", c.event, c.region, got, c.want)
		}
	}
	if !check.HasWarning(p.Warnings, "2 threads") || len(p.Functions) != 2 {
		t.Errorf("%d functions, %q", len(p.Functions), p.Warnings)
	}
}

func FuzzPAPI(f *testing.F) { check.Fuzz(f, "tools/papi.json") }
