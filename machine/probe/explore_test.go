package probe

import (
	"context"
	"strings"
	"testing"

	"foresee/machine"
	"foresee/machine/probe/chase"
)

// A cache that is told and not seen among noise is reached past all the same, unless it is beyond what the chase could go through.
func TestArraysReachPastWhatIsTold(t *testing.T) {
	for _, c := range []struct {
		told machine.Size
		want int64
	}{
		{32 << 20, timesLast * 32 << 20},
		{2 << 40, leastMost}, // as a hypervisor may tell
	} {
		base, s := invented(3)
		base.Levels[2].Size.Value = c.told
		m := newMeasurement(context.Background(), base, s, Options{})
		m.farthest = min(timesLast*int64(c.told), longestChase)
		m.most = 0
		m.setMost([]chase.Plateau{{Latency: 4, From: 4096, To: 30 << 10, Capacity: 33 << 10}, {Latency: 14, From: 48 << 10, To: 300 << 10, Capacity: 540 << 10}, {Latency: 200, From: 100 << 20, To: float64(m.farthest)}})
		if m.most != c.want {
			t.Errorf("L3 told to be %v: arrays of up to %d, want %d", c.told, m.most, c.want)
		}
	}
}

// Where a chase rises over a wide range, the end of a cache is not found: that is said, also of caches that are told.
func TestSaysThatEndsAreUnsure(t *testing.T) {
	for from, want := range map[float64]bool{100 << 20: true, 20 << 20: false} {
		base, s := invented(3)
		m := newMeasurement(context.Background(), base, s, options(base))
		m.doubt([]chase.Plateau{{Latency: 4, To: 30 << 10, Capacity: 33 << 10}, {Latency: 14, From: 48 << 10, To: 300 << 10, Capacity: 540 << 10}, {Latency: 55, From: 1 << 20, To: 6 << 20, Capacity: 8 << 20}, {Latency: 200, From: from, To: 256 << 20}})
		if notes := strings.Join(m.notes, "\n"); strings.Contains(notes, "the end of L3 is not sure: it is told to be 8 MiB, but the pointer chase takes longer from 6 MiB on") != want {
			t.Errorf("memory from %g on: notes %q", from, notes)
		}
	}
}
