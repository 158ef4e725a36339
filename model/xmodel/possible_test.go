package xmodel

import (
	"slices"
	"testing"
)

// Changes of the program come first, in their order; of threads, up to those that the machine has.
func TestPossibleFirst(t *testing.T) {
	p := Params{N: 4}
	all := []Gain{
		{Changes: []string{"L"}, Factors: []float64{0.5}},
		{Changes: []string{"n"}, Factors: []float64{4}},
		{Changes: []string{"n", "E"}, Factors: []float64{2, 4}},
		{Changes: []string{"n", "R"}, Factors: []float64{2, 4}},
		{Changes: []string{"higher intensity"}, Factors: []float64{8}},
	}
	p.PossibleFirst(all, 8)
	var order []string
	hardware := 0
	for _, g := range all {
		order = append(order, g.Changes[len(g.Changes)-1])
		if g.Hardware {
			hardware++
		}
	}
	if want := []string{"E", "higher intensity", "L", "n", "R"}; !slices.Equal(order, want) || hardware != 3 {
		t.Errorf("%v, want %v; %d of machines, want 3", order, want, hardware)
	}
}
