package timing

import (
	"math"
	"testing"

	"foresee/machine"
)

// inOrderWindow runs loops one after another through a window which instructions enter and leave in order, any number a cycle: one
// instruction of each iteration waits for that of the last. It gives the cycles for a run of the loop in the long run.
func inOrderWindow(window, instructions, trip int, latency float64) float64 {
	const runs = 400
	size := window / instructions // iterations
	var left []float64            // when each iteration leaves
	done, out := 0.0, 0.0
	half := 0.0
	for r := range runs {
		for i := range trip {
			enter := 0.0
			if n := len(left); n >= size {
				enter = left[n-size]
			}
			if i == 0 {
				done = enter
			}
			done = max(done, enter) + latency
			out = max(out, done)
			left = append(left, out)
		}
		if r == runs/2-1 {
			half = out
		}
	}
	return (out - half) / (runs / 2)
}

func TestOverlapIsThatOfAWindow(t *testing.T) {
	for _, trip := range []int{1, 3, 10, 15, 20, 25, 30, 40, 45, 60, 100, 400} {
		m := &machine.Machine{}
		m.Core.ReorderBuffer = &machine.Value[int]{Value: 100}
		c := NewCosts(m)
		const instructions, latency = 5, 4.0
		got := float64(trip) * latency / overlap(c, instructions, float64(trip))
		want := inOrderWindow(100, instructions, trip, latency)
		if math.Abs(got-want) > want/5 {
			t.Errorf("%d iterations: %v cycles a run, the window gives %v", trip, got, want)
		}
	}
}
