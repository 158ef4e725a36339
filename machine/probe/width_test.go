package probe

import (
	"testing"

	"foresee/machine"
)

// TestMixedWidth: a core that joins instructions that do nothing (Zen 4: 12 a cycle go through, 6 of others) is no wider for that, and one
// whose mix is bound by something else than its width keeps what was measured.
func TestMixedWidth(t *testing.T) {
	for _, c := range []struct{ nothing, mixed, want float64 }{{11.95, 6.28, 6.28}, {4, 6.1, 4}, {0, 6.28, 6.28}} {
		m := &machine.Machine{Instructions: &machine.Instructions{Width: c.mixed, Source: "measured"}}
		if c.nothing > 0 {
			m.Core.IssueWidth = value(c.nothing, "nothing")
		}
		mixed(m)
		if got, _ := m.Core.IssueWidth.Get(); got != c.want {
			t.Errorf("%v of those that do nothing, %v mixed: %v, want %v", c.nothing, c.mixed, got, c.want)
		}
	}
}
