package cli

import (
	"context"
	"testing"
)

// What an interrupted result is of: readings of one run that got to different places have a range, those of regions add up.
func TestInterruptedSaysHowManyAccesses(t *testing.T) {
	for want, readings := range map[string][]int64{
		"interrupted: this is of the first 1,500 accesses":                                 {1500},
		"interrupted: this is of the first 1,500 to 30,000 accesses, by number of threads": {1500, 30000},
	} {
		read := Seen{}
		for i, n := range readings {
			read.Add(string(rune('a'+i)), n-1)
			read.Add(string(rune('a'+i)), 1)
		}
		var said []string
		if !(&Streams{}).interrupted(context.Canceled, read, &said) || len(said) != 1 || said[0] != want {
			t.Errorf("%q, want %q", said, want)
		}
	}
	if (&Streams{}).interrupted(context.Canceled, Seen{}, nil) {
		t.Error("a result of nothing is kept")
	}
}
