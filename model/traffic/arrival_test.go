package traffic

import (
	"math"
	"testing"

	"foresee/machine/bandwidth"
)

// Lines told apart by how they follow one another.
func TestStreamsTellSteps(t *testing.T) {
	columns := func(i int) uint64 { return 1e6 + 100*uint64(i) }
	for name, c := range map[string]struct {
		line func(i int) uint64
		want bandwidth.Step
	}{
		"in sequence":             {func(i int) uint64 { return 1e6 + uint64(i) }, bandwidth.Step{Lines: 1}},
		"down a column":           {columns, bandwidth.StepOfBytes(100, 1)},
		"down two columns":        {func(i int) uint64 { return columns(i/2) + uint64(i%2)*7e8 }, bandwidth.StepOfBytes(100, 1)},
		"the same again":          {func(int) uint64 { return 1e6 }, bandwidth.RandomStep()},
		"three lines in turn":     {func(i int) uint64 { return []uint64{1e6, 5e6 + 3, 7e6 + 1}[i%3] }, bandwidth.RandomStep()},
		"in no order":             {func(i int) uint64 { return uint64(i) * uint64(i) * 977 % (1 << 40) }, bandwidth.RandomStep()},
		"ten streams in sequence": {func(i int) uint64 { return uint64(i%10)*1e6 + uint64(i/10) + 1e9 }, bandwidth.Step{Lines: 1}},
	} {
		s := NewArrival(1, 1, bandwidth.UsualStreams)
		const n = 1000
		for i := range n {
			s.Miss(0, int64(i), c.line(i), 1, 0, false)
		}
		if got := s.Of(0, 1).Steps[c.want.Class()]; got < 0.95 {
			t.Errorf("%s: %.3f are in the class of %v; %v", name, got, c.want, s.Of(0, 1).Steps)
		}
	}
}

// How many streams lines come in side by side, and how many accesses lie between them while they come.
func TestStreamsSideBySide(t *testing.T) {
	for _, c := range []struct{ streams, accesses int64 }{{1, 8}, {2, 5}, {5, 1}} {
		s := NewArrival(1, 1, bandwidth.UsualStreams)
		now := int64(0)
		for i := range int64(3000) {
			now += c.accesses
			if i == 1500 {
				now += 1e6 // another part of the program, without misses
			}
			s.Miss(0, now, uint64(1e6*(i%c.streams+1)+i/c.streams), 1, 0, false)
		}
		if got := s.Of(0, 1); math.Abs(got.Streams-float64(c.streams)) > 0.05 || math.Abs(got.Gap-float64(c.accesses)) > 0.05 {
			t.Errorf("%d streams, a line in %d accesses: %.2f and %.2f", c.streams, c.accesses, got.Streams, got.Gap)
		}
	}
}

// As many streams in turn as prefetchers follow are in sequence; one more, and each drives out the next.
func TestStreamsFollowed(t *testing.T) {
	for _, followed := range []int{1, 4, 22, 32, 64} {
		for _, k := range []int{1, 4, 5, 22, 23, 32, 33, 64, 65} {
			s := NewArrival(1, 1, followed)
			for i := range 200 * k {
				s.Miss(0, int64(i), uint64(i%k)*1e6+uint64(i/k)+1e9, 1, 0, false)
			}
			got, want := s.Of(0, 1).Straight(), 0.0
			if k <= followed {
				want = 199.0 / 200
			}
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("%d streams where %d are followed: %g in sequence, want %g", k, followed, got, want)
			}
		}
	}
}

// Lines of short runs that begin anywhere, in any number of streams.
func TestStreamsCountRuns(t *testing.T) {
	for _, length := range []int{1, 2, 5, 40} {
		s := NewArrival(1, 1, bandwidth.UsualStreams)
		for run := range 500 {
			for i := range length {
				s.Miss(0, int64(i), uint64(run*run)*10007+uint64(i), 1, 0, false)
			}
		}
		want := float64(length - 1) // the first of each is far
		if got := s.Of(0, 1).Run; math.Abs(got-want) > 0.01*want {
			t.Errorf("runs of %d lines: %g follow one another, want %g", length, got, want)
		}
	}
}

// One operation is one miss far from all others, the costliest.
func BenchmarkStreamsFar(b *testing.B) {
	s, line := NewArrival(1, 1, bandwidth.UsualStreams), uint64(1)
	for b.Loop() {
		line = line*6364136223846793005 + 1442695040888963407
		s.Miss(0, 0, line>>20, 1, 0, false)
	}
}
