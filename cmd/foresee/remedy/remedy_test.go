package remedy

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"foresee/machine"
	"foresee/machine/probe"
	"foresee/model/timing"
	"foresee/report/figure"
)

// Errors of libraries say no flag, and get what can be done about them here, each its own.
func TestRemedies(t *testing.T) {
	_, unknown := machine.Load("i7-5960")
	_, none := machine.Load(filepath.Join(t.TempDir(), "no.yaml"))
	m, err := machine.Load("i7-5960x")
	if err != nil {
		t.Fatal(err)
	}
	_, noFit := timing.Bandwidth(timing.Input{Threads: 1}, m)
	_, notMeasured := probe.Check(context.Background(), m, probe.Options{})
	var all []error
	for want, err := range map[string]error{
		"foresee machine list shows all":    unknown,
		"foresee machine list shows the":    none,
		"--model overlap":                   noFit,
		"(--machine)":                       &timing.MissingError{Machine: "m", Paths: []string{"memory"}},
		"--caches 48KiB":                    probe.ErrNoCaches,
		"foresee machine measure -o FILE":   notMeasured,
		"machine measure -o FILE makes one": errors.New("another; foresee machine measure -o FILE makes one"),
		"-o FILE makes a file that does":    figure.Machine(nil, "svg", m),
	} {
		if err == nil {
			t.Fatalf("no error for %q", want)
		}
		for _, e := range []error{err, fmt.Errorf("gemm.c: %w", err)} {
			text := Said(e)
			if !strings.HasPrefix(text, e.Error()) || !strings.Contains(text, want) {
				t.Errorf("%q does not say %q", text, want)
			}
		}
		if plain := err.Error(); Of(err) != "" && (strings.Contains(plain, "--") || strings.Contains(plain, "foresee ")) {
			t.Errorf("a library speaks of the command line: %q", plain)
		}
		all = append(all, err)
	}
	lines := strings.Split(Said(errors.Join(all...)), "\n")
	for i, err := range all {
		if lines[i] != Said(err) {
			t.Errorf("joined: %q, want %q", lines[i], Said(err))
		}
	}
}

// Notes of libraries get theirs as well, others stay.
func TestNoteRemedies(t *testing.T) {
	m := OfNotes(&machine.Machine{Notes: []string{machine.NoMemory, "another", machine.FromKerncraft}})
	for i, want := range []string{"foresee machine show", "another", "foresee machine measure"} {
		if !strings.Contains(m.Notes[i], want) {
			t.Errorf("note %q does not say %q", m.Notes[i], want)
		}
	}
}
