package tau_test

import (
	"strings"
	"testing"

	"foresee/application/counters/check"
	"foresee/application/counters/open"
)

// The sample is made by hand: rank 1 solves for 0.9 s.
func TestProfile(t *testing.T) {
	p := check.Profile(t, "tau/MULTI__TIME/profile.1.0.0")
	if p.Rank != 1 || p.Thread != 0 || len(p.Functions) != 4 || !check.HasWarning(p.Warnings, "callpaths and samples") {
		t.Errorf("%+v", p)
	}
	const solve = "solve(grid *) C [{solver.c} {12,1}-{39,1}]"
	if check.Value(t, p, solve, "TIME [us]") != 900000 || check.Value(t, p, "MPI_Allreduce()", "calls") != 20 {
		t.Errorf("%+v", p.Functions)
	}
	p = check.Profile(t, "tau/MULTI__PAPI_TOT_CYC/profile.0.0.0")
	if check.Value(t, p, solve, "PAPI_TOT_CYC") != 2.4e9 || len(p.Events) != 1 {
		t.Errorf("%+v", p)
	}
	file, err := open.Read("profile.3.0.2", strings.NewReader("1 templated_functions\n# Name Calls Subrs Excl Incl ProfileCalls\n\"f \"quoted\"\" 1 0 5 5 0 GROUP=\"A\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	if p := &file.Profiles[0]; p.Rank != 3 || p.Thread != 2 || check.Value(t, p, `f "quoted"`, "TIME [us]") != 5 {
		t.Errorf("%+v", p)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2 templated_functions_MULTI_TIME\n# Name\n\"f\" 1 0 5 5 0 GROUP=\"A\"\n", "x:3: the profile ends after 1 of 2 functions"},
		{"1 templated_functions_MULTI_TIME\nf 1 0 5 5 0\n", "x:2: \"f 1 0 5 5 0\" is no function"},
		{"1 templated_functions_MULTI_TIME\n\"f\" 1 0\n", "x:2: \"f\" has 2 of the columns"},
		{"1 templated_functions_MULTI_TIME\n\"f\" 1 0 a 5\n", "x:2: \"f\": \"a\" is not a number"},
		{"0 templated_functions_MULTI_TIME\n", "the profile has no function"},
	} {
		if _, err := open.Read("x", strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
}

func FuzzTAU(f *testing.F) { check.Fuzz(f, "tau/*/profile.*") }
