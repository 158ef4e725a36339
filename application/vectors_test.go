package application

import (
	"testing"

	"foresee/application/record/instrument"
	"foresee/application/recording"
)

// Loops that are dealt and run as vectors themselves are told from those around vectors, and short pieces from long ones: segment by segment,
// as a region may hold several loops.
func TestVectorPiece(t *testing.T) {
	const million = 1_000_000
	segment := func(size int64) *instrument.Segment {
		return &instrument.Segment{Accesses: []instrument.Access{{Size: size}, {Size: size, Write: true}}}
	}
	code := &recording.Code{Segments: []*instrument.Segment{segment(16), segment(15)}}
	type ran struct{ counts, chunks, iterations int64 }
	for name, c := range map[string]struct {
		vectors, single ran
		want            int64
	}{
		"vectors in short pieces":     {ran{100, 16, 1000}, ran{600, 16, 1000}, 1000 / 16},
		"vectors in one piece":        {ran{250, 1, 1000}, ran{}, 0},
		"vectors within":              {ran{8000, 16, 1000}, ran{1000, 16, 1000}, 0},
		"within, and another loop":    {ran{2000, 16, 1000}, ran{9000, 16, 9000}, 0},
		"outside loops":               {ran{900, 0, 0}, ran{1000, 16, 1000}, 0},
		"no vectors":                  {ran{}, ran{1000, 16, 1000}, 0},
		"hardly any vectors":          {ran{10, 16, 1000}, ran{1000, 16, 1000}, 0},
		"single iterations":           {ran{100, 100, 100}, ran{900, 900, 900}, 0},
		"pieces of 641":               {ran{400_000, million / 641, million}, ran{600_000, million / 641, million}, 0},
		"pieces of 639":               {ran{400_000, million / 639, million}, ran{600_000, million / 639, million}, 639},
		"short beside another's long": {ran{400_000, million / 100, million}, ran{600_000, 1, 100 * million}, 100},
		"long beside another's short": {ran{400_000, million / 1000, million}, ran{600_000, million, 2 * million}, 0},
		"just enough vectors":         {ran{51_000, 16000, million}, ran{949_000, 16000, million}, million / 16000},
		"just too few":                {ran{49_000, 16000, million}, ran{951_000, 16000, million}, 0},
	} {
		r := &recording.Region{
			Counts: []int64{c.vectors.counts, c.single.counts},
			Dealt:  []recording.Dealt{{Chunks: c.vectors.chunks, Iterations: c.vectors.iterations}, {Chunks: c.single.chunks, Iterations: c.single.iterations}},
		}
		if got := vectorPiece(code, r); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
