package smpi

import (
	"errors"
	"testing"
)

// Without SimGrid the error says what is missing, and how it is had.
func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Build(t.Context(), t.TempDir(), "mpicc"); !errors.Is(err, ErrMissing) {
		t.Errorf("%v", err)
	}
}

// Programs print their simulated time last.
func TestLastNumber(t *testing.T) {
	for text, want := range map[string]float64{"[rank 0] -> host-0\nseconds 0.125\n": 0.125, "2.5e-3": 0.0025} {
		if got, err := lastNumber(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "no time"} {
		if _, err := lastNumber(text); err == nil {
			t.Errorf("%q has a time", text)
		}
	}
}
