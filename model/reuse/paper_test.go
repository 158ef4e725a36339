package reuse_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"foresee/model/reuse"
)

// The examples of PPT-Multicore (Barai et al.), tables 1 to 3. A letter is a line; cold is the paper's ∞.
const cold = int64(-1)

// distancesOf gives the distance of every access.
func distancesOf(lines string) []int64 {
	stack := reuse.NewStack(1)
	var all []int64
	for _, l := range lines {
		d, ok := stack.Touch(uint64(l))
		if !ok {
			d = cold
		}
		all = append(all, d)
	}
	return all
}

// profileOf gives the histogram of a stream, of a resolution at which every small distance has a bin of its own.
func profileOf(lines string) *reuse.Histogram {
	var addresses []uint64
	for _, l := range lines {
		addresses = append(addresses, uint64(l))
	}
	h := reuse.NewHistogram(reuse.Fine)
	reuse.NewStack(1).Add(addresses, h)
	return h
}

// row writes a histogram as a row of the paper's table 2, with the cold accesses last.
func row(h *reuse.Histogram) string {
	var b strings.Builder
	h.Each(func(low, high, count int64) {
		if low != high {
			fmt.Fprintf(&b, "%d…", low)
		}
		fmt.Fprintf(&b, "%d:%d ", high, count)
	})
	fmt.Fprintf(&b, "∞:%d", h.Cold)
	return b.String()
}

// Table 1. The copy that this is taken from shows some letters in capitals and the time of the last w as δ; the text
// below the table names w at time 8, and only one letter of each kind gives the distances printed.
const sequential = "wxwyxzzw"

func TestPaperTable1(t *testing.T) {
	want := []int64{cold, cold, 1, cold, 2, cold, 0, 3}
	if got := distancesOf(sequential); !slices.Equal(got, want) {
		t.Errorf("distances %d, want %d", got, want)
	}
}

func TestPaperTable2(t *testing.T) {
	h := profileOf(sequential)
	if got, want := row(h), "0:1 1:1 2:1 3:1 ∞:4"; got != want {
		t.Errorf("profile %s, want %s", got, want)
	}
	if h.Total() != 8 { // the denominator of P(RD)
		t.Errorf("%d accesses, want 8", h.Total())
	}
	// "50% of memory references […] cause a compulsory cache miss. If […] cache size is four, then none […] a capacity
	// cache miss"; smaller caches lose one eighth a line.
	lines := []float64{4, 3, 2, 1, 0}
	want := []float64{4. / 8, 5. / 8, 6. / 8, 7. / 8, 1}
	if got := h.Distribution().MissRatios(lines); !slices.Equal(got, want) {
		t.Errorf("miss ratios of %v lines: %v, want %v", lines, got, want)
	}
}

// Table 3: a column is a time, and a dot is a core that does nothing then. The copy cuts the last time, 10, to 1, and
// shows v in capitals there; the text below the table speaks of v at time 10.
const (
	core1        = "u.vuy..xuv"
	core2        = ".w...xv..."
	sharedMemory = "uwvuyxvxuv"
)

func TestPaperTable3(t *testing.T) {
	idle := func(core string) string { return strings.ReplaceAll(core, ".", "") }
	tests := []struct {
		name, stream string
		distances    []int64
		profile      string
	}{
		{"core 1, private", idle(core1), []int64{cold, cold, 1, cold, cold, 2, 3}, "1:1 2:1 3:1 ∞:4"},
		{"core 2, private", idle(core2), []int64{cold, cold, cold}, "∞:3"},
		{"concurrent", sharedMemory, []int64{cold, cold, cold, 2, cold, cold, 3, 1, 3, 2}, "1:1 2:2 3:2 ∞:5"},
	}
	for _, tt := range tests {
		if got := distancesOf(tt.stream); !slices.Equal(got, tt.distances) {
			t.Errorf("%s: distances %d, want %d", tt.name, got, tt.distances)
		}
		if got := row(profileOf(tt.stream)); got != tt.profile {
			t.Errorf("%s: profile %s, want %s", tt.name, got, tt.profile)
		}
	}
	private := profileOf(idle(core1))
	private.Merge(profileOf(idle(core2)))
	if got, want := row(private), "1:1 2:1 3:1 ∞:7"; got != want {
		t.Errorf("private profiles of both cores: %s, want %s", got, want)
	}
}

// What the paper says of table 3 in words: the distances of core 1's accesses at a time, private and concurrent.
func TestPaperInteractions(t *testing.T) {
	tests := []struct {
		interaction         string
		time                int // from 1
		line                byte
		private, concurrent int64
	}{
		{"dilation", 4, 'u', 1, 2},
		{"overlap", 9, 'u', 2, 3}, // four accesses in between, but x twice
		{"interception", 10, 'v', 3, 2},
	}
	private := distancesOf(strings.ReplaceAll(core1, ".", ""))
	concurrent := distancesOf(sharedMemory)
	for _, tt := range tests {
		before := core1[:tt.time-1]
		p, c := private[len(before)-strings.Count(before, ".")], concurrent[tt.time-1]
		if core1[tt.time-1] != tt.line || p != tt.private || c != tt.concurrent {
			t.Errorf("%s of %c at time %d: private %d, concurrent %d; want %c, %d, %d",
				tt.interaction, core1[tt.time-1], tt.time, p, c, tt.line, tt.private, tt.concurrent)
		}
	}
}
