package sets_test

import (
	"testing"

	"foresee/internal/oracle/kernels/sets"
)

// TestCases reads every case under a name of its own; the halves are about as large.
func TestCases(t *testing.T) {
	names, held := map[string]bool{}, 0
	for _, c := range sets.Cases() {
		if names[c.Name] {
			t.Errorf("%s comes twice", c.Name)
		}
		names[c.Name] = true
		if sets.HeldBack(c.Name) {
			held++
		}
		if _, err := c.Program(); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
	if n := len(names); n < 100 || held < n/3 || held > 2*n/3 {
		t.Errorf("%d of %d cases are held back", held, n)
	}
}
