package timing

import (
	"math"
	"testing"

	"foresee/application/nest"
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

// inOrder runs instructions, of which every so many-th loads a line that comes a latency after it has entered, through a window that they enter at a cycle each
// and leave in order, and gives the cycles of all.
func inOrder(window, instructions, every int, latency float64) float64 {
	left := make([]float64, instructions)
	entered, out := 0.0, 0.0
	for i := range left {
		if entered++; i >= window {
			entered = max(entered, left[i-window])
		}
		done := entered
		if i%every == 0 {
			done += latency
		}
		out = max(out, done)
		left[i] = out
	}
	return out
}

// TestScatteredLinesWaitForTheWindow compares with a window that is run: with many, few and less than one line in it, and half of the instructions in a loop within.
func TestScatteredLinesWaitForTheWindow(t *testing.T) {
	const window, instructions, latency = 400, 400_000, 700.0
	m := &machine.Machine{}
	m.Core.ReorderBuffer = &machine.Value[int]{Value: window}
	m.FrequencyGHz = &machine.Value[float64]{Value: 1}
	m.Memory.LatencyNs = &machine.Value[float64]{Value: latency}
	m.Memory.SequentialCyclesPerLine = &machine.Value[float64]{Value: 1}
	outer, loop := &nest.Loop{}, &nest.Loop{}
	for _, every := range []int{20, 50, 100, 200, 400, 800, 2000} {
		block := &Block{Loop: outer, Executions: instructions / 2, Compiled: &Compiled{Cycles: 1, Instructions: 1}}
		around := *block // as it was before it was followed
		within := &Block{Loop: loop, Around: &around, Executions: instructions / 2, Compiled: &Compiled{Cycles: 1, Instructions: 1}}
		v := &convolver{m: m, costs: NewCosts(m), in: Input{Blocks: []*Block{block, within}, Threads: 1}}
		p := Phase{Blocks: []*Block{block}, Traffic: []Traffic{{Level: memoryName, Lines: instructions / float64(every), Scattered: 1}}}
		full, inner, err := v.windows(p, instructions/2*1e-9, 0)
		if err != nil {
			t.Fatal(err)
		}
		want := inOrder(window, instructions, every, latency) * 1e-9
		if inner != instructions/2*1e-9 || math.Abs(full/want-1) > 0.35 {
			t.Errorf("a line in %d instructions: %.3g ms, %.3g of them within, the window gives %.3g ms", every, full*1e3, inner*1e3, want*1e3)
		}
		p.Traffic[0].Scattered = 0
		if full, _, err = v.windows(p, 1, 0); full != 0 || err != nil {
			t.Errorf("lines in order wait %v s", full)
		}
	}
}
