package nest

import (
	"slices"
	"testing"
)

// TestRegions: loops that begin in one line have names of their own.
func TestRegions(t *testing.T) {
	var names Regions
	got := []string{names.At("f", 2), names.At("f", 3), names.At("f", 2), names.At("g", 2), names.At("f", 2)}
	if want := []string{"f:2", "f:3", "f:2#2", "g:2", "f:2#3"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
