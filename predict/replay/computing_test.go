package replay

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"foresee/application"
	"foresee/application/csource"
	"foresee/application/messages"
	"foresee/machine"
	"foresee/predict"
)

// streaming reads far more than caches hold, and hardly computes.
const streaming = `double a[4000000];
double s;
void sum(void) {
#pragma omp parallel for
  for (int i = 0; i < 4000000; i++) a[i] = a[i] * 2;
}
`

func computingOf(t *testing.T) *Computing {
	t.Helper()
	s, err := application.OfText("stream.c", []byte(streaming), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.Load("epyc-7702p") // one socket of 64 cores, 16 caches of 16 MiB
	if err != nil {
		t.Fatal(err)
	}
	return &Computing{Signature: s, Recorded: m, Node: m}
}

// TestScaleByMemory: what memory bounds is flat from where it saturates: 64 ranks of a thread each take 64 times as long for 64 times the work as all threads of
// one rank do, and a rank takes as long as its share of the bandwidth lets its lines through.
func TestScaleByMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("predicts")
	}
	t.Parallel()
	c := computingOf(t)
	program := &messages.Program{Ranks: []messages.Rank{{Host: "h", Threads: "1"}}}
	all, _, err := c.Scale(t.Context(), program, Split{1, 1}, Split{1, 64}, Split{64, 1}, Split{32, 2}, Split{16, 0})
	if err != nil {
		t.Fatal(err)
	}
	if one := all[0]; math.Abs(one.Factor-1) > 1e-9 || one.Low != one.High {
		t.Errorf("as it was recorded: %+v", one)
	}
	node, bandwidth := all[1].There.TimeS, c.Node.Memory.BandwidthGBs.Value*1e9
	lines := 4e6 * 8.0 // bytes of the array, which go to memory and back
	if least := lines / bandwidth; node < least {
		t.Errorf("a node takes %g s, less than its bandwidth lets through, %g s", node, least)
	}
	for _, one := range all[2:4] {
		if got := one.There.TimeS / node / float64(one.There.Ranks); math.Abs(got-1) > 0.1 {
			t.Errorf("%d ranks: each takes %g times its share of the node's bandwidth", one.There.Ranks, got)
		}
	}
	if all[4].There.Threads != 1 {
		t.Errorf("no threads are %d, not as many as were recorded", all[4].There.Threads)
	}
}

// TestBestSplit: of two ranks that exchange little, all splits of a node whose memory they saturate take as long; the list is complete and sorted, and the result
// is that of the first.
func TestBestSplit(t *testing.T) {
	if testing.Short() {
		t.Skip("predicts")
	}
	t.Parallel()
	c := computingOf(t)
	var err error
	if c.Node, err = machine.Load("i7-5960x"); err != nil { // 8 cores
		t.Fatal(err)
	}
	ring := "( 10\nSendrecv 10 8000 100000000 100000000 10000000 0 p%d t1 s%d u1 c0\n)\n"
	recorded := ranks(t, 2, fmt.Sprintf(ring, 1, -2), fmt.Sprintf(ring, -2, 0))
	r, err := BestSplit(t.Context(), recorded, described(t, small), Options{}, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Splits) != 4 || r.Splits[0].Seconds == nil || *r.Splits[0].Seconds != r.Seconds || r.RanksPerNode != r.Splits[0].Ranks || r.Scaled.There.Threads != r.Splits[0].Threads {
		t.Errorf("%+v", r.Splits)
	}
	if !slices.IsSortedFunc(r.Splits, func(a, b Dealt) int { return int(math.Copysign(1, a.time()-b.time())) }) {
		t.Error("splits are in no order")
	}
	for _, d := range r.Splits {
		if d.Ranks*d.Threads != 8 || d.AllRanks != 8*d.Ranks {
			t.Errorf("%+v is no split of 8 cores on 8 nodes", d)
		}
		if d.LowSeconds != nil && (*d.LowSeconds > d.time() || *d.HighSeconds < d.time()) {
			t.Errorf("%+v: outside its own interval", d)
		}
	}
}

func TestRecordedSplit(t *testing.T) {
	m := &machine.Machine{Cores: &machine.Value[int]{Value: 4}}
	of := func(threads string, hosts ...string) *messages.Program {
		p := &messages.Program{}
		for _, h := range hosts {
			p.Ranks = append(p.Ranks, messages.Rank{Host: h, Threads: threads})
		}
		return p
	}
	for _, c := range []struct {
		p     *messages.Program
		given int
		want  Split
		warns bool
	}{
		{of("2", "a", "a", "b"), 0, Split{2, 2}, false},
		{of("3,2", "a"), 0, Split{1, 3}, false},
		{of("", "a"), 0, Split{1, 1}, true},
		{of("", "a"), 4, Split{1, 4}, false},
		{of("1", "a", "a", "a", "a", "a", "a"), 0, Split{4, 1}, false}, // took turns
		{of("9999999", "a"), 0, Split{1, 1}, true},
	} {
		got, warning := RecordedSplit(c.p, m, c.given)
		if got != c.want || (warning != "") != c.warns {
			t.Errorf("%d ranks, threads %q: %+v, %q, want %+v", len(c.p.Ranks), c.p.Ranks[0].Threads, got, warning, c.want)
		}
	}
}

// A machine that tells no times is refused, with the reason.
func TestScaleNeedsTimes(t *testing.T) {
	t.Parallel()
	c := computingOf(t)
	c.Node = &machine.Machine{Name: "bare", Cores: c.Node.Cores, FrequencyGHz: c.Node.FrequencyGHz, LineBytes: c.Node.LineBytes, Levels: []machine.Level{{Name: "L1", Size: c.Node.Levels[0].Size}}}
	c.Options = predict.Options{}
	_, _, err := c.Scale(t.Context(), &messages.Program{Ranks: []messages.Rank{{Host: "h"}}}, Split{1, 1})
	if unknown := new(UnknownTimeError); !errors.As(err, &unknown) || unknown.Machine != "bare" {
		t.Error(err)
	}
}
