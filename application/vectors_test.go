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
	code := &recording.Code{Segments: []*instrument.Segment{segment(32), segment(8)}}
	for name, c := range map[string]struct {
		chunks, vectors, single int64
		want                    bool
	}{
		"vectors in short pieces": {16, 100, 600, true},
		"vectors in one piece":    {1, 250, 0, false},
		"vectors within":          {16, 8000, 1000, false},
		"no vectors":              {16, 0, 1000, false},
		"hardly any vectors":      {16, 10, 1000, false},
		"single iterations":       {1000, 900, 100, false},
	} {
		r := &recording.Region{Iterations: 1000, Chunks: c.chunks, Counts: []int64{c.vectors, c.single}}
		if got := cutsVectors(code, r); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
