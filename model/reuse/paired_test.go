package reuse_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"foresee/model/reuse"
)

// Accesses in pieces of any length, which count in several histograms, against one stack that is given the same pieces.
func TestPairedEqualsStack(t *testing.T) {
	for name, addresses := range adversarial(600_000) {
		for seed := range uint64(3) {
			r := rand.New(rand.NewPCG(seed, 24))
			one, want := reuse.NewStack(64), []*reuse.Histogram{reuse.NewHistogram(reuse.Full), reuse.NewHistogram(reuse.Fine)}
			two, got := reuse.NewPaired(64), []*reuse.Histogram{reuse.NewHistogram(reuse.Full), reuse.NewHistogram(reuse.Fine)}
			for rest := addresses; len(rest) > 0; {
				n, h := min(1+r.IntN(1<<(5+r.IntN(15))), len(rest)), r.IntN(2)
				one.Add(rest[:n], want[h])
				two.Add(rest[:n], got[h])
				rest = rest[n:]
			}
			for i := range want {
				same(t, fmt.Sprint(name, ", histogram ", i), got[i], want[i])
			}
			if two.Lines() != one.Lines() {
				t.Errorf("%s: %d lines, want %d", name, two.Lines(), one.Lines())
			}
		}
	}
}
