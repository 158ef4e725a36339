package interpreter_test

import (
	"context"
	"fmt"
	"testing"

	"foresee/internal/oracle/interpreter"
	"foresee/internal/oracle/kernels"
)

// TestNextUseOfEveryKernel compares every access of every kernel at MINI, for every team, with the oracle.
func TestNextUseOfEveryKernel(t *testing.T) {
	err := kernels.With("MINI", nil, func(ks []kernels.Kernel) error {
		for _, k := range ks {
			t.Run(k.Name, func(t *testing.T) {
				t.Parallel()
				for _, team := range interpreter.Teams() {
					c, err := interpreter.Check(context.Background(), k.Program, team, samplesOf(team), 1)
					if err != nil {
						t.Fatal(fmt.Errorf("%s: %w", team, err))
					}
					if c.Wrong+c.GaveUp > 0 {
						t.Errorf("%s: of %d accesses %d wrong, %d given up", team, c.Accesses, c.Wrong, c.GaveUp)
					}
				}
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// samplesOf is 0, for all accesses, with one thread; the teams are sampled.
func samplesOf(team interpreter.Team) int {
	if team.Threads == 1 {
		return 0
	}
	return 4000
}
