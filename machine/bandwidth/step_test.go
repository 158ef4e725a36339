package bandwidth

import (
	"math"
	"testing"
)

func TestStepOfBytes(t *testing.T) {
	for _, c := range []struct {
		bytes int64
		lines float64
		sets  Sets
	}{
		{8, 1, AllSets},
		{-8, 1, AllSets},
		{64, 1, AllSets},
		{128, 2, HalfSets},
		{192, 3, AllSets},
		{256, 4, 2},
		{-256, 4, 2},
		{384, 6, HalfSets},
		{7200, 112.5, AllSets},
		{9600, 150, HalfSets},
		{8192, 128, FewestSets},
		{8320, 130, HalfSets},
		{16448, 257, AllSets},
	} {
		if got := StepOfBytes(c.bytes, 64); got != (Step{c.lines, c.sets}) {
			t.Errorf("%d bytes: %v", c.bytes, got)
		}
	}
}

// Each class stands for a step of its own, and a step is in the class of the next one up.
func TestClasses(t *testing.T) {
	for class := range Steps {
		if got := StepOf(class).Class(); got != class {
			t.Errorf("class %d: %v is in class %d", class, StepOf(class), got)
		}
	}
	for _, c := range []struct {
		step Step
		want Step
	}{{Step{3, AllSets}, Step{4, AllSets}}, {Step{5, HalfSets}, Step{8, HalfSets}}, {Step{65, FewestSets}, Step{math.Inf(1), FewestSets}}, {RandomStep(), Step{math.Inf(1), AllSets}}} {
		if got := StepOf(c.step.Class()); got != c.want {
			t.Errorf("%v is in the class of %v", c.step, got)
		}
	}
	var steps [Steps]float64
	for class := range steps {
		steps[class] = 1
	}
	if got := SequentialShare(&steps); got != 2*float64(partsOfSets) { // one line and two lines
		t.Errorf("%g classes are in sequence", got)
	}
}

// What a cache must hold is known from the sets that lines come to.
func TestHeld(t *testing.T) {
	for _, c := range []struct {
		p    Point
		want float64
	}{
		{Point{Stride: 1, Bytes: 1 << 20}, 1 << 20},
		{Point{Stride: 16, Bytes: 1 << 20}, 1 << 20},          // half the lines, in half the sets
		{Point{Stride: 1288, Bytes: 1000 * 10304}, 64000},     // a line of 161 each, in all sets
		{Point{Stride: 1296, Bytes: 1000 * 10368}, 2 * 64000}, // of 162, in half of them
		{Point{Stride: 1288, Bytes: 1 << 20, Columns: true}, 1 << 20},
	} {
		if got := c.p.held(64); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%+v: %g, want %g", c.p, got, c.want)
		}
	}
}
