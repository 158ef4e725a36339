package tracetest_test

import (
	"errors"
	"io"
	"slices"
	"testing"

	"foresee/application/trace"
	"foresee/internal/tracetest"
)

func events(n int) (all []trace.Event) {
	for i := range n {
		all = append(all, trace.Event{Address: uint64(i)})
	}
	return all
}

// TestSlice gives its events in pieces, in order, and then its end, again and again.
func TestSlice(t *testing.T) {
	want := events(2500) // more than All reads at once
	src := tracetest.Slice(slices.Clone(want), trace.Names{})
	piece := make([]trace.Event, 7)
	n, err := src.Read(piece)
	if n != 7 || err != nil || !slices.Equal(piece, want[:7]) {
		t.Fatalf("%d events, %v", n, err)
	}
	rest, err := tracetest.All(src)
	if err != nil || !slices.Equal(rest, want[7:]) {
		t.Errorf("%d more events, %v; want %d", len(rest), err, len(want)-7)
	}
	for range 2 {
		if n, err := src.Read(piece); n != 0 || !errors.Is(err, io.EOF) {
			t.Errorf("behind the end: %d, %v", n, err)
		}
	}
	if src.Names() == nil {
		t.Error("no names")
	}
}

// failing ends with an error, and some events before it.
type failing struct{ trace.Source }

var errBroken = errors.New("broken")

func (failing) Read(e []trace.Event) (int, error) { return copy(e, events(3)), errBroken }

func TestAllOfABrokenSource(t *testing.T) {
	all, err := tracetest.All(failing{})
	if !errors.Is(err, errBroken) || len(all) != 3 {
		t.Errorf("%d events, %v; want what was read, and the error", len(all), err)
	}
}
