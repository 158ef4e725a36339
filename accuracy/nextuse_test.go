package accuracy_test

import (
	"context"
	"fmt"
	"testing"

	"foresee/accuracy"
)

// TestNextUseOfEveryKernel compares every access of every kernel at MINI, for every team, with the oracle.
func TestNextUseOfEveryKernel(t *testing.T) {
	err := accuracy.WithKernels("MINI", nil, func(kernels []accuracy.Kernel) error {
		for _, k := range kernels {
			t.Run(k.Name, func(t *testing.T) {
				t.Parallel()
				for _, team := range accuracy.Teams() {
					c, err := accuracy.CheckNextUses(context.Background(), k.Program, team, samplesOf(team), 1)
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
func samplesOf(team accuracy.Team) int {
	if team.Threads == 1 {
		return 0
	}
	return 4000
}
