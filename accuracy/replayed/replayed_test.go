package replayed

import (
	"errors"
	"testing"

	"foresee/internal/oracle/smpi"
)

// TestAgainstSMPI compares a program of few ranks with SMPI, by both engines.
func TestAgainstSMPI(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Parallel()
	folder := t.TempDir()
	built, err := smpi.Build(t.Context(), folder, "mpicc.openmpi")
	if errors.Is(err, smpi.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := &comparison{built: built, folder: folder}
	for _, program := range []string{"hydro", "wavefront"} {
		if _, err := c.row(t.Context(), program, 8); err != nil {
			t.Fatal(err)
		}
	}
	if worst, of := c.own.Worst(); c.own.N() != 6 || worst > 2 { // percent; all programs: docs/accuracy/replay.md
		t.Errorf("%g %% off: %s", worst, of)
	}
	if worst, of := c.other.Worst(); worst > 2 {
		t.Errorf("traces: %g %% off: %s", worst, of)
	}
}
