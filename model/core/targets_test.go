package core_test

import (
	"math/rand/v2"
	"testing"

	"foresee/model/core"
)

// Jumps whose targets follow one another in some order are guessed once that was seen; of those at random as many are missed as there are other targets, and each
// costs what a branch does that is guessed wrongly, within a cycle.
func TestComputedJumps(t *testing.T) {
	c := simple()
	c.HistoryTables, c.Mispredicted = 6, 20
	r := rand.New(rand.NewPCG(1, 2))
	order := []uint32{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}
	const jumps, targets = 20000, 8
	run := func(next func(i int) uint32) *core.Simulator {
		s := core.New(c, []core.Instruction{{Form: core.Form{Slots: 1}, Branch: core.Jump, Computed: true}})
		for i := range jumps {
			s.Goes(next(i))
			s.Step(0, 0, true)
		}
		return s
	}
	known := run(func(i int) uint32 { return order[i%len(order)] })
	if known.Misdirected > 300 {
		t.Errorf("of %d jumps that go on in the same order %d are guessed wrongly", jumps, known.Misdirected)
	}
	same := run(func(int) uint32 { return 7 })
	if same.Misdirected != 1 {
		t.Errorf("of %d jumps to one place %d are guessed wrongly", jumps, same.Misdirected)
	}
	random := run(func(int) uint32 { return r.Uint32N(targets) })
	near(t, "share of jumps at random that are missed", float64(random.Misdirected)/jumps, float64(targets-1)/targets)
	cost := func(s *core.Simulator, missed int64) float64 { return (s.Cycles() - same.Cycles()) / float64(missed) }
	branches := core.New(c, []core.Instruction{{Form: core.Form{Slots: 1}, Branch: core.Conditional}})
	for range jumps {
		branches.Step(0, 0, r.Uint32N(2) == 0)
	}
	if per, other := cost(random, random.Misdirected), cost(branches, branches.Mispredicted); per < other-1 || per > other+1 {
		t.Errorf("one that is missed costs %.1f cycles, a branch %.1f", per, other)
	}
	if random.Mispredicted != 0 {
		t.Errorf("%d of them count as conditional", random.Mispredicted)
	}
}
