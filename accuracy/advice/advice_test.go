package advice

import (
	"math"
	"strings"
	"testing"

	"foresee/accuracy"
	"foresee/machine"
)

// TestExpertOf: the line of a program that says what an expert would change.
func TestExpertOf(t *testing.T) {
	for text, want := range map[string]string{
		"// A loop.\n// Expert: interchange, tiling\nint x;\n": "interchange|tiling",
		"// A loop.\nint x;\n":                                 "",
		"// A loop.\n// Expert: temporary for a sum":           "temporary for a sum",
	} {
		if got := strings.Join(expertOf(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestNear: checksums may differ by rounding, relative to those above one.
func TestNear(t *testing.T) {
	for _, c := range []struct {
		a, b string
		near bool
	}{
		{"checksum 1e6\n", "checksum 1.0000000001e6\n", true},
		{"checksum 1e6\n", "checksum 1.00001e6\n", false},
		{"checksum 0\n", "checksum 1e-12\n", true},
		{"nothing\n", "nothing\n", false},
	} {
		if got := near(c.a, c.b); got != c.near {
			t.Errorf("%q and %q: near %v", c.a, c.b, got)
		}
	}
}

// TestGains: errors, signs and results of changes, worked out by hand. Of a predicted ratio of 2 and a measured one of 1.6 the error is 25 %, of 0.5 and 1.25 it is
// 150 %, and the second sign is not that of a loss.
func TestGains(t *testing.T) {
	m := &measurement{Options: accuracy.Options{Machine: &machine.Machine{Name: "m"}}, changes: []tried{
		{program: "a", change: "tiling", rank: 1, predicted: 2, ratio: 1.6, equal: true, timed: true},
		{program: "b", change: "fusion", rank: 1, predicted: 0.5, ratio: 1.25, equal: false, timed: true},
		{program: "c", change: "schedule", rank: 2, predicted: 1, equal: true},
	}, rows: []row{
		{program: program{name: "a", expert: []string{"tiling"}}, shown: []string{"tiling"}, hit: true},
		{program: program{name: "b", expert: []string{"interchange"}}, shown: []string{"fusion"}},
		{program: program{name: "c"}},
	}}
	s := m.section()
	said := strings.Join(append(s.Tables[0].Summary, s.Tables[1].Summary...), "\n")
	for _, want := range []string{"right: 1 of 2", "results equal: 2 of 3", "sign right: 1 of 2", "mean 87.5", "n = 2"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	if v := s.Tables[1].Values["equal"]; math.Abs(v-2) > 0 {
		t.Errorf("%g are equal", v)
	}
}
