package bandwidth

import (
	"math"
	"testing"
)

func TestStepOfBytes(t *testing.T) {
	for _, c := range []struct {
		bytes   int64
		lines   float64
		crowded Crowding
	}{
		{8, 1, Spread},
		{-8, 1, Spread},
		{64, 1, Spread},
		{128, 2, Half},
		{192, 3, Spread},
		{256, 4, Crowded},
		{-256, 4, Crowded},
		{384, 6, Half},
		{7200, 112.5, Spread},
		{9600, 150, Half},
		{8192, 128, Crowded},
		{8320, 130, Half},
		{16448, 257, Spread},
	} {
		if got := StepOfBytes(c.bytes, 64); got != (Step{c.lines, c.crowded}) {
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
	}{{Step{3, Spread}, Step{4, Spread}}, {Step{5, Half}, Step{8, Half}}, {Step{65, Crowded}, Step{math.Inf(1), Crowded}}, {Anywhere(), Step{math.Inf(1), Spread}}} {
		if got := StepOf(c.step.Class()); got != c.want {
			t.Errorf("%v is in the class of %v", c.step, got)
		}
	}
	var steps [Steps]float64
	for class := range steps {
		steps[class] = 1
	}
	if got := Straight(&steps); got != 2*float64(crowdings) { // one line and two lines
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

// Translations last for as many pages as the TLB has, and page tables for as long as L2 holds them.
func TestTLB(t *testing.T) {
	f := truth(3)
	if got := f.TLBMiss(f.TLBBytes); math.Abs(got-0.5) > 1e-12 {
		t.Errorf("half the pages are to miss at its reach: %g", got)
	}
	if few, many := f.TLBMiss(f.TLBBytes/2), f.TLBMiss(2*f.TLBBytes); few > 1e-6 || many < 1-1e-6 || f.TLBMiss(0) != 0 || f.TLBMiss(math.Inf(1)) != 1 {
		t.Errorf("half the reach %g, twice %g", few, many)
	}
	if near, far := f.TableMiss(1, 1000, 64), f.TableMiss(8, 1e6, 64); near > 1e-6 || far < 1-1e-6 {
		t.Errorf("entries of 1000 pages are far %g, of a million %g", near, far)
	}
	if got := f.TableMiss(1, 1e9, 64); math.Abs(got-1.0/entriesPerLine) > 1e-9 {
		t.Errorf("pages in sequence come to a new line %g of the time", got)
	}
}
