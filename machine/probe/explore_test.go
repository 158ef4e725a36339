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
		m.doubt([]chase.Plateau{{Latency: 4, To: 30 << 10, Capacity: 33 << 10}, {Latency: 14, From: 48 << 10, To: 300 << 10, Capacity: 540 << 10}, {Latency: 55, From: 1 << 20, To: 6 << 20, Capacity: 8 << 20}, {Latency: 200, From: from, To: 256 << 20}}, 0.5)
		if notes := strings.Join(m.notes, "\n"); strings.Contains(notes, "the end of L3 is not sure: it is told to be 8 MiB, but the pointer chase takes longer from 6 MiB on") != want {
			t.Errorf("memory from %g on: notes %q", from, notes)
		}
	}
}

// Where noise hides the plateau of the last cache, what is told of its size is doubted all the same: memory begins long before. A cache that
// ends where it is told to is not, nor is one before it that seems to end late.
func TestDoubtsTheLastCacheThatIsHidden(t *testing.T) {
	for _, c := range []struct {
		told  machine.Size
		edge  float64
		found machine.Size // 0: what is told is believed
	}{
		{480 << 20, 20 << 20, 20 << 20},
		{2 << 40, 20 << 20, 20 << 20}, // further than a chase goes
		{32 << 20, 5 << 20, 5 << 20},  // as the TLB ends it in a virtual machine
		{24 << 20, 20 << 20, 0},
		{24 << 20, 540 << 10, 0},
	} {
		base, s := invented(3)
		base.Levels[2].Size.Value = c.told
		m := newMeasurement(context.Background(), base, s, Options{})
		m.farthest = min(timesLast*int64(c.told), longestChase)
		m.doubt([]chase.Plateau{{Latency: 4, To: 30 << 10, Capacity: 33 << 10}, {Latency: 14, From: 48 << 10, To: 300 << 10, Capacity: c.edge}, {Latency: 400, From: 40 << 20, To: float64(m.farthest)}}, 0.3)
		if got := m.base.Levels[2].EffectiveSize; c.found == 0 != (got == nil) || got != nil && got.Value != c.found {
			t.Errorf("told %v, memory from %g: effective size %v, want %v", c.told, c.edge, got, c.found)
		}
		m.setMost(nil)
		if c.found > 0 && c.told > toldMost*c.found && m.most > 4*timesLast*int64(c.found) {
			t.Errorf("told %v: arrays of up to %d", c.told, m.most)
		}
		if c.told == 32<<20 && m.most < timesLast*int64(c.told) {
			t.Errorf("arrays of up to %d end in a cache of %v that sweeps may find", m.most, c.told)
		}
	}
}
