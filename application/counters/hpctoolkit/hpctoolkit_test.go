package hpctoolkit_test

import (
	"strings"
	"testing"

	"foresee/application/counters/check"
	"foresee/application/counters/open"
)

// The sample is made by hand: loops and lines lie within procedures.
func TestTable(t *testing.T) {
	p := check.Profile(t, "tools/hpctoolkit.csv")
	if !p.Summed || len(p.Functions) != 4 || len(p.Events) != 2 {
		t.Errorf("%+v", p)
	}
	if check.Value(t, p, "solve(grid&, char const*, int)", "CPUTIME (sec)") != 7.5 || check.Value(t, p, "exchange", "PAPI_TOT_INS") != 3e9 || p.Total("CPUTIME (sec)") != 10 {
		t.Errorf("%+v", p.Functions)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Scope,CPUTIME (sec):Sum (I)\n\"a\",1\n", "x:1: no column is the sum"},
		{"Scope,CPUTIME (sec):Sum (E)\n\"Experiment Aggregate Metrics\",1\n\"a\",1\n\"b\",1\n", "some lie in others; export the bottom-up view"},
		{"Scope,CPUTIME (sec):Sum (E),X:Sum (E)\n\"a\",1\n", "x:2: the row has 2 columns and the head 3"},
		{"Scope,CPUTIME (sec):Sum (E)\n\"a\",b\n", "x:2: CPUTIME (sec):Sum (E): \"b\" is not a number"},
		{"Scope,CPUTIME (sec):Sum (E)\n", "the table has no procedure"},
	} {
		if _, err := open.Read("x", strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, not %q", err, c.want)
		}
	}
}

func FuzzTable(f *testing.F) { check.Fuzz(f, "tools/hpctoolkit.csv") }
