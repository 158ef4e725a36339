package timing_test

import (
	"math"
	"testing"

	"foresee/application/csource"
	"foresee/model/timing"
)

// What the loop around does with a chain decides whether the next run of the inner loop can begin before it is done: here each adds a sum
// and a product, 8 cycles, and less where it begins anew.
func TestChainsThatGoOn(t *testing.T) {
	m := toyMachine(t)
	for _, c := range []struct {
		name, body string
		goesOn     bool
	}{
		{"anew", "double s = 1; for (int j = 0; j < 16; j++) s = s * 0.5 + a[i][j]; y[i] = s;", false},
		{"kept outside", "for (int j = 0; j < 16; j++) acc = acc * 0.5 + a[i][j];", true},
		{"saved after, read before", "double s = acc; for (int j = 0; j < 16; j++) s = s * 0.5 + a[i][j]; acc = s;", true},
		{"through memory", "double s = y[i]; for (int j = 0; j < 16; j++) s = s * 0.5 + a[i][j]; y[i + 1] = s;", true},
		{"begun anew once", "if (i == 0) acc = 1; for (int j = 0; j < 16; j++) acc = acc * 0.5 + a[i][j];", true},
	} {
		source := "double a[1000][16], y[1001], acc;\nvoid k(void) { for (int i = 0; i < 1000; i++) { " + c.body + " } }\n"
		unit, err := csource.Load("k.c", []byte(source), csource.Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		blocks, err := timing.Blocks(unit.Programs[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocks {
			if !b.Innermost {
				continue
			}
			chain := timing.CoreOf(unit.Programs[0], b, timing.NewCosts(m)).Chain
			if goesOn := math.Abs(chain-8) < 1; goesOn != c.goesOn || chain > 9 {
				t.Errorf("%s: %.2f cycles an iteration", c.name, chain)
			}
		}
	}
}
