package application

import (
	"testing"

	"foresee/application/record/instrument"
	"foresee/application/recording"
)

// Loops that are dealt and run as vectors themselves are told from those around vectors, and short pieces from long ones.
func TestCutsVectors(t *testing.T) {
	segment := func(size int64) *instrument.Segment {
		return &instrument.Segment{Accesses: []instrument.Access{{Size: size}, {Size: size, Write: true}}}
	}
	code := &recording.Code{Segments: []*instrument.Segment{segment(16), segment(15)}}
	for name, c := range map[string]struct {
		iterations, chunks, vectors, single int64
		want                                bool
	}{
		"vectors in short pieces": {1000, 16, 100, 600, true},
		"vectors in one piece":    {1000, 1, 250, 0, false},
		"vectors within":          {1000, 16, 8000, 1000, false},
		"no vectors":              {1000, 16, 0, 1000, false},
		"hardly any vectors":      {1000, 16, 10, 1000, false},
		"single iterations":       {1000, 1000, 900, 100, false},
		"pieces of 641":           {1_000_000, 1000 * 1000 / 641, 400_000, 600_000, false},
		"pieces of 639":           {1_000_000, 1000 * 1000 / 639, 400_000, 600_000, true},
		"just enough vectors":     {1_000_000, 16000, 51_000, 949_000, true},
		"just too few":            {1_000_000, 16000, 49_000, 951_000, false},
	} {
		r := &recording.Region{Iterations: c.iterations, Chunks: c.chunks, Counts: []int64{c.vectors, c.single}}
		if got := cutsVectors(code, r); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
